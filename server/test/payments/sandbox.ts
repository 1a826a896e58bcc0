import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { saveAccount } from '../../src/payments/accounts/accounts.ts'
import type { HostAnswer, HostOrder } from './sandbox-host.ts'

const HOST = fileURLToPath(new URL('./sandbox-host.ts', import.meta.url))

/** An entry of the sandbox's ledger, in minor units. */
interface LedgerEntry {
  readonly provider: string
  readonly id: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly method: string
}

/** A sandbox in another process, with its own ledger. */
export interface TestSandbox {
  readonly url: string
  /** Makes the next calls of a provider misbehave; Stripe's by default. */
  fault(order: { provider?: string; operation: string; kind: string; times?: number; ms?: number; booked?: boolean }): Promise<void>
  ledger(): Promise<LedgerEntry[]>
  /** What the ledger has of a payment by our reference: each status and amount. */
  bookedOf(reference: string): Promise<[string, number][]>
  settle(id: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<number>
  /** Tells a provider's bank what becomes of a payment, by our reference. */
  settlePayment(provider: string, reference: string, outcome: string): Promise<void>
  /**
   * Calls a stand-in, or the sandbox itself, with a JSON body.
   * @throws Error unless it answers well
   */
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<void>
  /** Calls its Stripe with a secret or page key. */
  stripe(path: string, form: Readonly<Record<string, string>>, key: string): Promise<Record<string, unknown>>
  reset(): Promise<void>
  close(): Promise<void>
}

export const WEBHOOK_SECRET = 'whsec_test_counterfoil'

/** Keys of an account at the sandbox's Stripe: those of one account share a word. */
export const accountKeys = (account: number | string) => ({ secret: `sk_test_${account}_desk`, page: `pk_test_${account}_page` })

let host: ChildProcess | undefined

/** The process of this worker's sandboxes, which starts for the first one. It keeps the worker neither busy nor alive. */
const sandboxHost = (): ChildProcess => {
  if (host !== undefined) return host
  const child = fork(HOST, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.unref()
  child.channel?.unref()
  child.setMaxListeners(0)
  child.once('exit', () => {
    host = undefined
  })
  return (host = child)
}

/** Starts or closes a sandbox in the process of this worker's. @returns its address */
const askHost = (order: { start: Readonly<Record<string, string>> } | { close: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const [child, id] = [sandboxHost(), randomUUID()]
    const end = (error: string | undefined, url: string): void => {
      child.off('message', hear).off('exit', fail)
      child.channel?.unref()
      if (error === undefined) resolve(url)
      else reject(new Error(error))
    }
    const hear = (answer: HostAnswer): void => {
      if (answer.id === id) end(answer.error, answer.url)
    }
    const fail = (): void => end('the process of the sandboxes ended', '')
    child.on('message', hear).once('exit', fail)
    child.send({ id, ...order } satisfies HostOrder)
  })

/** Starts a sandbox on any free port, with these settings of its own. */
export const testSandbox = async (settings: Readonly<Record<string, string>> = {}): Promise<TestSandbox> => {
  const dir = await mkdtemp(join(tmpdir(), 'counterfoil-sandbox-'))
  const url = await askHost({ start: { SANDBOX_PORT: '0', SANDBOX_DIR: dir, ...settings } })
  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  const ledger = async (): Promise<LedgerEntry[]> => (await fetch(`${url}/ledger`)).json() as Promise<LedgerEntry[]>
  return {
    url,
    fault: async (order) => {
      const answer = await post('/faults', { provider: 'stripe', times: 1, ...order })
      if (!answer.ok) throw new Error(await answer.text())
    },
    ledger,
    bookedOf: async (reference) =>
      (await ledger()).filter((one) => one.reference === reference).map(({ status, amount }) => [status, amount]),
    settlePayment: async (provider, reference, outcome) => {
      const entry = (await ledger()).find((one) => one.provider === provider && one.reference === reference)
      const answer = await post('/settle', { provider, id: entry?.id ?? '', outcome })
      if (!answer.ok) throw new Error(`${reference} cannot be settled as ${outcome}`)
    },
    settle: async (id, outcome) => (await post('/settle', { provider: 'stripe', id, outcome })).status,
    post: async (path, body, headers) => {
      const answer = await post(path, body, headers)
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    },
    stripe: async (path, form, key) => {
      const answer = await fetch(`${url}/stripe${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      })
      return (await answer.json()) as Record<string, unknown>
    },
    reset: async () => {
      await post('/reset', {})
    },
    close: async () => {
      await askHost({ close: url })
      await rm(dir, { recursive: true })
    },
  }
}

/** Connects a reseller to its own account at the sandbox's Stripe. */
export const connectStripe = (context: Parameters<typeof saveAccount>[0], sandbox: TestSandbox, resellerId: number): Promise<void> =>
  saveAccount(context, {
    resellerId,
    provider: 'stripe',
    baseUrl: `${sandbox.url}/stripe`,
    settings: { secretKey: accountKeys(resellerId).secret, webhookSecrets: [WEBHOOK_SECRET] },
  })
