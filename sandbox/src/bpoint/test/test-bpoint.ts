import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
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
  /** The merchant number; an empty one calls as a browser does. */
  readonly merchant?: string
  readonly password?: string
  readonly signal?: AbortSignal
}

/** The sandbox's BPOINT for one test file, with its own folder and port. */
export interface TestBpoint {
  readonly url: string
  readonly dir: string
  /** A call of the API below /rest/v5. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<TestResponse>
  /** One of the sandbox's own calls. */
  postControl(path: string, body?: object): Promise<TestResponse>
  /** Opens a key with details, and attaches a method to it as a browser does. */
  prepareTxn(method?: object, details?: object): Promise<string>
  /** Pays with a method. */
  pay(method?: object, details?: object, options?: CallOptions): Promise<TestResponse>
  /** Stores a method; its token. */
  store(method?: object, details?: object): Promise<TestResponse>
  ledger(): Promise<LedgerEntry[]>
  stop(): Promise<void>
}

export const MERCHANT = '5353109000000000'

export const card = (more: object = {}) => ({
  card: { number: '5123456789012346', expiry: { month: '05', year: '39' }, cvn: '123', name: 'Jane Citizen', ...more },
})
export const bank = (more: object = {}) => ({ bank: { bsb: '062000', account: '12345678', name: 'Jane Citizen', ...more } })

/** Starts the sandbox; a given `dir` is not removed, so that a test can start it again. */
export const startTestBpoint = async (options: StoreOptions & { readonly dir?: string } = {}): Promise<TestBpoint> => {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'bpoint-')))
  const app = sandboxApp(openStores(dir, options))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const call: TestBpoint['call'] = async (method, path, body, { merchant = MERCHANT, password = 'secret', signal } = {}) =>
    send(`${url}/bpoint/rest/v5${path}`, {
      method,
      headers: {
        ...(merchant === '' ? {} : { authorization: `Basic ${btoa(`user|${merchant}:${password}`)}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })

  const prepareTxn: TestBpoint['prepareTxn'] = async (method = card(), details = {}) => {
    const key = (await call('POST', '/txns/authkeys', {})).body.authkey
    await call('PUT', `/txns/authkeys/${key}/txn-details`, { amount: 1_000, crn1: '7', merchantReference: 'a:1', ...details })
    await call('PUT', `/txns/authkeys/${key}/payment-method`, method, { merchant: '' })
    return key
  }

  return {
    url,
    dir,
    call,
    prepareTxn,
    postControl: async (path, body) =>
      send(`${url}${path}`, {
        method: 'POST',
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      }),
    pay: async (method, details, callOptions) =>
      call('POST', `/txns/authkeys/${await prepareTxn(method, details)}/process`, {}, callOptions),
    store: async (method = card(), details = { crn1: '7' }) => {
      const key = (await call('POST', '/tokens/authkeys', {})).body.authkey
      await call('PUT', `/tokens/authkeys/${key}/token-details`, details)
      await call('PUT', `/tokens/authkeys/${key}/payment-method`, method, { merchant: '' })
      return call('POST', `/tokens/authkeys/${key}/process`, {})
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

/** A server that receives webhook events. */
export const startWebhookReceiver = async () => {
  const received: { type: string; data: { responseCode: string; txnNumber: string } }[] = []
  const server = createServer(async (request, response) => {
    received.push(JSON.parse((await buffer(request)).toString()))
    response.writeHead(200).end()
    server.emit('received')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits until that many events were received. */
    waitFor: async (count: number) => {
      while (received.length < count) await once(server, 'received')
      return received.splice(0)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
