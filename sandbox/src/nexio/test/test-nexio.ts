import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sandboxApp } from '../../app.ts'
import type { LedgerEntry } from '../../ledger/ledger.ts'
import { openStores, type StoreOptions } from '../../stores.ts'

interface TestResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

export interface CallOptions {
  readonly user?: string
  readonly password?: string
  readonly signal?: AbortSignal
}

/** The sandbox's Nexio for one test file, with its own folder and port. */
export interface TestNexio {
  readonly url: string
  readonly dir: string
  /** A call of the API with a user name and a password; with `user: ''` without both. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<TestResponse>
  /** One of the sandbox's own calls. */
  postControl(path: string, body?: object): Promise<TestResponse>
  /** The digits, encrypted as a browser does. */
  encrypt(digits: string): Promise<string>
  /** Stores a card; its token. */
  saveCard(number?: string, options?: CallOptions): Promise<string>
  /** Stores a bank account; its token. */
  saveECheck(options?: CallOptions): Promise<string>
  ledger(): Promise<LedgerEntry[]>
  stop(): Promise<void>
}

const USER = 'bench@acme.example'

/** Starts the sandbox; a given `dir` is not removed, so that a test can start it again. */
export const startTestNexio = async (options: StoreOptions & { readonly dir?: string } = {}): Promise<TestNexio> => {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'nexio-')))
  const app = sandboxApp(openStores(dir, options))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const call: TestNexio['call'] = async (method, path, body, { user = USER, password = 'secret', signal } = {}) =>
    send(`${url}/nexio${path}`, {
      method,
      headers: {
        ...(user === '' ? {} : { authorization: `Basic ${btoa(`${user}:${password}`)}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })

  const encrypt = async (digits: string): Promise<string> => {
    const spki = Buffer.from(await (await fetch(`${url}/nexio/public-key`)).text(), 'base64')
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(digits)).toString('base64')
  }

  const newToken = async (callOptions?: CallOptions): Promise<string> => (await call('POST', '/pay/v3/token', {}, callOptions)).body.token

  return {
    url,
    dir,
    call,
    encrypt,
    postControl: async (path, body) =>
      send(`${url}${path}`, {
        method: 'POST',
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      }),
    saveCard: async (number = '4111111111111111', callOptions = {}) => {
      const [token, encryptedNumber] = [await newToken(callOptions), await encrypt(number)]
      const card = { encryptedNumber, expirationMonth: '12', expirationYear: '2039', cardHolderName: 'Sam Lu', securityCode: '123' }
      return (await call('POST', '/pay/v3/saveCard', { token, card }, { user: '' })).body.token.token
    },
    saveECheck: async (callOptions = {}) => {
      const [token, encryptedBankAccountNumber] = [await newToken(callOptions), await encrypt('000123456789')]
      const bank = { accountHolderName: 'Jane Doe', routingNumber: '231375151', encryptedBankAccountNumber }
      return (await call('POST', '/pay/v3/saveECheck', { token, bank }, { user: '' })).body.token.token
    },
    ledger: async () => (await (await fetch(`${url}/ledger`)).json()) as LedgerEntry[],
    stop: async () => {
      await app.close()
      if (options.dir === undefined) await rm(dir, { recursive: true })
    },
  }
}

const send = async (address: string, init: RequestInit): Promise<TestResponse> => {
  const response = await fetch(address, { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: /^[{[]/.test(text) ? JSON.parse(text) : text }
}

/** A webhook event as it was received. */
export interface ReceivedWebhook {
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any event
  readonly event: any // oxlint-disable-line typescript/no-explicit-any
  readonly headers: IncomingHttpHeaders
  readonly path: string
}

/** A server that receives webhook events. */
export interface WebhookReceiver {
  readonly url: string
  readonly received: readonly ReceivedWebhook[]
  /** Waits until that many events were received. */
  waitFor(count: number): Promise<readonly ReceivedWebhook[]>
  /** The HTTP status of its responses. */
  status: number
  clear(): void
  close(): Promise<void>
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString()
    received.push({ text, event: JSON.parse(text), headers: request.headers, path: request.url ?? '' })
    response.writeHead(receiver.status).end()
    server.emit('received')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    status: 200,
    waitFor: async (count) => {
      while (received.length < count) await once(server, 'received')
      return received
    },
    clear: () => {
      received.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
