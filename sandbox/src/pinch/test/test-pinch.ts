import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { sandboxApp } from '../../app.ts'
import type { LedgerEntry } from '../../ledger/ledger.ts'
import { openStores, type StoreOptions } from '../../stores.ts'

interface TestResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

/** The sandbox's Pinch for one test file, with its own folder and port. */
export interface TestPinch {
  readonly url: string
  readonly dir: string
  /** A call of the API in test mode with a bearer token; with `bearer: ''` without one. */
  call(method: string, path: string, body?: unknown, options?: { bearer?: string; mode?: string }): Promise<TestResponse>
  /** Asks the token server for a bearer token. */
  authenticate(account?: string, secret?: string): Promise<TestResponse>
  /** One of the sandbox's own calls. */
  postControl(path: string, body?: object): Promise<TestResponse>
  /** Enters a card as a browser does; its token. */
  cardToken(card?: object): Promise<string>
  bankToken(account?: object): Promise<string>
  /** A payer with one card; their ids. */
  payerWithCard(card?: object): Promise<{ payerId: string; sourceId: string }>
  payerWithAccount(): Promise<{ payerId: string; sourceId: string }>
  ledger(): Promise<LedgerEntry[]>
  stop(): Promise<void>
}

const ACCOUNT = 'app_acme'
export const CARD = { cardNumber: '4242424242424242', cvc: '123', expiryMonth: 12, expiryYear: 2039, cardHolderName: 'Ben Hotdog' }

/** Starts the sandbox; a given `dir` is not removed, so that a test can start it again. */
export const startTestPinch = async (options: StoreOptions & { readonly dir?: string } = {}): Promise<TestPinch> => {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'pinch-')))
  const app = sandboxApp(openStores(dir, options))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const authenticate: TestPinch['authenticate'] = (account = ACCOUNT, secret = 'sk_test_secret') =>
    send(`${url}/pinch/connect/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${account}:${secret}`)}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=api1',
    })
  const ownBearer = (await authenticate()).body.access_token as string

  const call: TestPinch['call'] = (method, path, body, { bearer = ownBearer, mode = 'test' } = {}) =>
    send(`${url}/pinch/${mode}${path}`, {
      method,
      headers: {
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const tokenize = async (fields: object): Promise<string> => {
    const answer = await call('POST', '/tokens', { publishableKey: `pk_test_${ACCOUNT}`, ...fields }, { bearer: '' })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.token
  }
  const cardToken: TestPinch['cardToken'] = (card = {}) => tokenize({ ...CARD, ...card })
  const bankToken: TestPinch['bankToken'] = (account = {}) =>
    tokenize({ bankAccountName: 'Ben Hotdog', bankAccountRouting: '000-001', bankAccountNumber: '1234567890', ...account })
  const payerWith = async (source: object) => {
    const { body } = await call('POST', '/payers', { firstName: 'Ben', lastName: 'Hotdog', emailAddress: 'ben@mailinator.example', source })
    return { payerId: body.id as string, sourceId: body.sources[0].id as string }
  }

  return {
    url,
    dir,
    call,
    authenticate,
    cardToken,
    bankToken,
    payerWithCard: async (card) => payerWith({ sourceType: 'credit-card', token: await cardToken(card) }),
    payerWithAccount: async () => payerWith({ sourceType: 'bank-account', token: await bankToken() }),
    postControl: (path, body) =>
      send(`${url}${path}`, {
        method: 'POST',
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      }),
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
interface ReceivedWebhook {
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any event
  readonly event: any // oxlint-disable-line typescript/no-explicit-any
  readonly headers: IncomingHttpHeaders
  readonly path: string
}

/** A server that receives webhook events. */
export const startWebhookReceiver = async () => {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    const text = await readText(request)
    received.push({ text, event: JSON.parse(text), headers: request.headers, path: request.url ?? '' })
    response.writeHead(200).end()
    server.emit('received')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    waitFor: async (count: number): Promise<readonly ReceivedWebhook[]> => {
      while (received.length < count) await once(server, 'received')
      return received
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
