import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxApp } from '../app.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'
import { openStores, type StoreOptions } from '../stores.ts'

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

export interface TestOptions extends StoreOptions {
  /** Is not removed, so that a test can start the sandbox again with it. */
  readonly dir?: string
}

/** The sandbox for one test file, with its own folder and port. */
export interface TestSandbox {
  readonly url: string
  readonly dir: string
  /** One of the sandbox's own calls. */
  postControl(path: string, body?: object): Promise<TestResponse>
  ledger(): Promise<LedgerEntry[]>
  stop(): Promise<void>
}

export const startTestSandbox = async (options: TestOptions = {}): Promise<TestSandbox> => {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'sandbox-')))
  const app = sandboxApp(openStores(dir, options))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    dir,
    postControl: (path, body) => send(`${url}${path}`, { method: 'POST', ...jsonBody(body) }),
    ledger: async () => (await send(`${url}/ledger`)).body as LedgerEntry[],
    stop: async () => {
      await app.close()
      if (options.dir === undefined) await rm(dir, { recursive: true })
    },
  }
}

/** The body of a request as JSON, with its content type; nothing without a body. */
export const jsonBody = (body?: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit =>
  body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }

/** Sends a request and reads the response, as JSON where it is JSON. */
export const send = async (address: string, init: RequestInit = {}): Promise<TestResponse> => {
  const response = await fetch(address, { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: /^[{[]/.test(text) ? JSON.parse(text) : text }
}
