import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { createHttpClient, type HttpClient } from '../../../src/kit/outgoing-http.ts'
import { createProviderCache } from '../../../src/payments/accounts/provider-cache.ts'
import { createReference } from '../../../src/payments/attempts/merchant-reference.ts'
import type { ProviderContext } from '../../../src/payments/providers/account.ts'
import type { KnownMethod, NewMethod } from '../../../src/payments/providers/method.ts'
import type { ChargeOrder } from '../../../src/payments/providers/order.ts'
import type { ProviderOf } from '../../../src/payments/providers/provider.ts'
import { type TestSandbox, testSandbox } from '../sandbox.ts'

/** Where an adapter is called: the stand-ins, and what a call gets. */
export interface AdapterBench {
  readonly sandbox: TestSandbox
  /** Its redacted transcripts are collected. */
  readonly context: (settings?: object) => ProviderContext<never>
}

/** Starts the sandbox for a test file. */
export const useSandbox = async (): Promise<TestSandbox> => {
  const sandbox = await testSandbox()
  afterAll(() => sandbox.close())
  return sandbox
}

/** What an adapter is answered: a text, one with another status, or what is thrown without an answer. */
export type WireAnswer = string | { readonly status: number; readonly text: string } | Error

/** A context in which a provider gives these answers in turn, and its last one from then on, with the bodies that it got. */
export const contextAnswering = <Settings>(
  provider: ProviderOf<Settings>,
  settings: NoInfer<Settings>,
  ...answers: readonly WireAnswer[]
) => {
  const sent: string[] = []
  const http: HttpClient = {
    send: async ({ body = '' }) => {
      const answer = answers[Math.min(sent.push(body), answers.length) - 1] ?? { status: 500, text: '' }
      if (answer instanceof Error) throw answer
      return { headers: {}, ...(typeof answer === 'string' ? { status: 200, text: answer } : answer) }
    },
  }
  const now = new Date('2026-11-23T12:00:00Z')
  return { sent, context: { ...adapterContext(provider, { url: 'http://127.0.0.1:1' }, settings, { now }), http } }
}

/** What a call of an adapter gets at its stand-in; the redacted transcripts are collected in `transcripts`. */
export const adapterContext = <Settings>(
  provider: ProviderOf<Settings>,
  { url }: Pick<TestSandbox, 'url'>,
  settings: NoInfer<Settings>,
  { transcripts = [], now = new Date() }: { transcripts?: string[]; now?: Date } = {},
): ProviderContext<Settings> => ({
  settings,
  baseUrl: `${url}/${provider.name}`,
  http: createHttpClient({
    timeoutMs: 1_500,
    scrub: (text) => provider.redact(text),
    record: (transcript) => void transcripts.push(transcript),
  }),
  now,
  cache: createProviderCache(() => new Date()),
})

const CLIENT = { ip: '192.0.2.1', userAgent: 'a browser' }

/** An order over 110.00 as the engine makes it. */
export const orderAt = (
  { reference }: Pick<ProviderOf<never>, 'reference'>,
  currency: string,
  more: Partial<ChargeOrder> = {},
): ChargeOrder => ({
  merchantReference: createReference(reference, randomUUID()),
  amount: { minor: 11_000n, currency },
  methodType: 'card',
  invoiceNumbers: ['INV-1', 'INV-2'],
  legalName: 'Nimbus',
  customerId: 7,
  entryReference: null,
  providerCustomerId: null,
  returnUrl: 'http://localhost:3000/payment-result',
  client: CLIENT,
  ...more,
})

/** With what a method is stored beside what was typed. */
export const STORE_OPTIONS = { client: CLIENT, returnUrl: 'http://localhost:3000/payment-types', id: 'id', customerId: 7 }

/** Stores a method past the engine, for a new customer where the provider keeps customers. */
export const storeDirectly = async <Settings>(
  { storing }: ProviderOf<Settings>,
  context: ProviderContext<NoInfer<Settings>>,
  input: NewMethod,
  customer?: string,
): Promise<KnownMethod> => {
  const contact = { name: input.holder ?? 'Ada Payer', email: input.email ?? 'ada@payer.example' }
  const providerCustomerId =
    customer ?? (await storing.createCustomer?.(context, { reference: '7', name: 'Ada', key: randomUUID(), contact })) ?? null
  const stored = await storing.store(context, providerCustomerId ?? '', input, { ...STORE_OPTIONS, id: randomUUID() })
  if (stored.state !== 'succeeded') throw new Error(`the method was not stored: ${JSON.stringify(stored)}`)
  const { token, kind, details } = stored.method
  return { token, kind, details, providerCustomerId }
}

const RECORDINGS = new URL('../../../../../shared/providers/fixtures/', import.meta.url)

/** A call of the real provider and what it answered; which fields there are differs. */
export interface Recording {
  readonly file: string
  readonly request: { readonly method: string; readonly path: string; readonly headers: Record<string, string>; readonly body?: unknown }
  readonly response: { readonly status: number; readonly body?: unknown }
  readonly note?: string
}

/** Recordings of the real provider, where they lie beside the repository; none elsewhere. */
export const recordingsOf = (provider: string): readonly Recording[] => {
  const folder = new URL(`${provider}/`, RECORDINGS)
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^[a-z].*\.json$/.test(file)) : []
  return files.map((file) => ({ file, ...(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<Recording, 'file'>) }))
}
