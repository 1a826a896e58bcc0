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

/** The sandbox's Stripe for a test, on a folder and a port of its own. */
export interface Bench {
  readonly url: string
  readonly dir: string
  /** The company's own library, speaking to the stand-in; it never tries again by itself. */
  readonly client: StripeClient
  clientOf(key: string): StripeClient
  /** A call as the wire sees it. */
  call(method: string, path: string, form?: string, headers?: Readonly<Record<string, string>>): Promise<Called>
  /** A call as a page's script makes it. */
  fromPage(path: string, form: Readonly<Record<string, string>>): Promise<Called>
  own(path: string, body?: object): Promise<Called>
  ledger(): Promise<LedgerEntry[]>
  stop(): Promise<void>
}

interface Called {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire says
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

export const KEY = 'sk_test_bench_secret'
export const PAGE_KEY = 'pk_test_bench_page'

/** Brings the sandbox up; `dir` is kept when it is given, so that a test may start it again. */
export const startBench = async (options: StoreOptions & { readonly dir?: string } = {}): Promise<Bench> => {
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

  const call: Bench['call'] = async (method, path, form, headers = {}) => {
    const response = await fetch(`${url}/stripe${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(form === undefined ? {} : { body: form }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
  }

  return {
    url,
    dir,
    client: clientOf(KEY),
    clientOf,
    call,
    fromPage: (path, form) => call('POST', path, new URLSearchParams({ key: PAGE_KEY, ...form }).toString(), { authorization: '' }),
    own: async (path, body) => {
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

/** A notice as it came in. */
export interface Heard {
  readonly body: string
  readonly signature: string
  readonly at: number
}

/** Somebody who listens for notices. */
export interface Listener {
  readonly url: string
  readonly heard: readonly Heard[]
  /** What it answers from now on. */
  answer: number
  /** Waits until that many were heard. */
  until(count: number): Promise<readonly Heard[]>
  close(): Promise<void>
}

export const startListener = async (): Promise<Listener> => {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    heard.push({ body, signature: String(request.headers['stripe-signature']), at: performance.now() })
    response.writeHead(listener.answer).end()
    server.emit('heard')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listener: Listener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    answer: 200,
    until: async (count) => {
      while (heard.length < count) await once(server, 'heard')
      return heard
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return listener
}
