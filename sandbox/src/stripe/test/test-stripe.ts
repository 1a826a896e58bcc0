import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import StripeClient from 'stripe'
import { sandboxApp } from '../../app.ts'
import type { LedgerEntry } from '../../ledger/ledger.ts'
import { openStores, type StoreOptions } from '../../stores.ts'

/** The sandbox's Stripe for one test file, with its own folder and port. */
export interface TestStripe {
  readonly url: string
  readonly dir: string
  /** Stripe's own library, connected to the sandbox, without retries. */
  readonly client: StripeClient
  clientOf(key: string): StripeClient
  /** An API request with the secret key. */
  call(method: string, path: string, form?: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>
  /** An API request with the publishable key, as Stripe.js makes it. */
  callFromPage(path: string, form: Readonly<Record<string, string>>): Promise<TestResponse>
  /** One of the sandbox's own calls. */
  postControl(path: string, body?: object): Promise<TestResponse>
  ledger(): Promise<LedgerEntry[]>
  stop(): Promise<void>
}

interface TestResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

export const SECRET_KEY = 'sk_test_bench_secret'
export const PUBLISHABLE_KEY = 'pk_test_bench_page'

/** Starts the sandbox; a given `dir` is not removed, so that a test can start it again. */
export const startTestStripe = async (options: StoreOptions & { readonly dir?: string } = {}): Promise<TestStripe> => {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'stripe-')))
  const app = sandboxApp(openStores(dir, options))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const clientOf = (key: string): StripeClient =>
    new StripeClient(key, {
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: StripeClient.createFetchHttpClient(async (address: string | URL | Request, init?: RequestInit) => {
        const { pathname, search } = new URL(String(address))
        return fetch(`${url}/stripe${pathname}${search}`, init)
      }),
    })

  const call: TestStripe['call'] = async (method, path, form, headers = {}) => {
    const response = await fetch(`${url}/stripe${path}`, {
      method,
      headers: { authorization: `Bearer ${SECRET_KEY}`, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(form === undefined ? {} : { body: form }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
  }

  return {
    url,
    dir,
    client: clientOf(SECRET_KEY),
    clientOf,
    call,
    callFromPage: (path, form) =>
      call('POST', path, new URLSearchParams({ key: PUBLISHABLE_KEY, ...form }).toString(), { authorization: '' }),
    postControl: async (path, body) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    ledger: async () => (await (await fetch(`${url}/ledger`)).json()) as LedgerEntry[],
    stop: async () => {
      await app.close()
      if (options.dir === undefined) await rm(dir, { recursive: true })
    },
  }
}

/** A webhook event as it was received. */
export interface ReceivedWebhook {
  readonly body: string
  readonly signature: string
  readonly at: number
}

/** A server that receives webhook events. */
export interface WebhookReceiver {
  readonly url: string
  readonly received: readonly ReceivedWebhook[]
  /** The HTTP status of its responses. */
  status: number
  /** Waits until that many events were received. */
  waitFor(count: number): Promise<readonly ReceivedWebhook[]>
  close(): Promise<void>
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    received.push({ body, signature: String(request.headers['stripe-signature']), at: performance.now() })
    response.writeHead(receiver.status).end()
    server.emit('received')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    status: 200,
    waitFor: async (count) => {
      while (received.length < count) await once(server, 'received')
      return received
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
