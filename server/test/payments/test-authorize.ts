import { randomUUID } from 'node:crypto'
import { type TestSandbox, testSandbox } from './sandbox.ts'
import { createHttpClient } from '../../src/kit/outgoing-http.ts'
import { SealedText } from '../../src/kit/sealed-text.ts'
import { createProviderCache } from '../../src/payments/accounts/provider-cache.ts'
import { createReference } from '../../src/payments/attempts/merchant-reference.ts'
import type { KnownMethod, NewCard, NewMethod } from '../../src/payments/providers/method.ts'
import type { ChargeOrder } from '../../src/payments/providers/order.ts'
import { authorize } from '../../src/payments/providers/authorize/authorize.ts'
import type { AuthorizeContext, Fields } from '../../src/payments/providers/authorize/authorize-client.ts'
import type { AuthorizeSettings } from '../../src/payments/providers/authorize/authorize.settings.ts'

export const ACCOUNT = 'conformance'
export const TRANSACTION_KEY = 'a-secret-key-123'
export const SIGNATURE_KEY = 'A1B2C3D4'.repeat(16)
const ROUTING_NUMBER = '121042882'

const SETTINGS: AuthorizeSettings = { loginId: ACCOUNT, transactionKey: TRANSACTION_KEY, webhookSecrets: [SIGNATURE_KEY] }

/** The sandbox's Authorize.net as these tests reach it. */
export interface TestAuthorize {
  readonly sandbox: TestSandbox
  context(settings?: Partial<AuthorizeSettings>, now?: Date): AuthorizeContext
  storeCard(context?: AuthorizeContext): Promise<KnownMethod>
  storeAccount(context?: AuthorizeContext): Promise<KnownMethod>
  /** Settles every pending card payment and refund. */
  settleBatch(): Promise<void>
  settle(id: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<void>
  fault(order: { operation: string; kind: string; times?: number; ms?: number; booked?: boolean }): Promise<void>
  /** Sends a request past the adapter, such as what a merchant does at the gateway. */
  call(name: string, fields: Fields, loginId?: string): Promise<Record<string, unknown>>
}

/** A card as it is typed on our page. */
export const newCard = ({ number = '4111111111111111', expYear = 2031, zip = '' } = {}): NewCard => ({
  typedMethod: {
    kind: 'card',
    card: { number: new SealedText(number), expMonth: 12, expYear, securityCode: new SealedText('123') },
  },
  holder: 'Ada Payer',
  ...(zip === '' ? {} : { address: { line1: '1 Quay Street', city: 'Fort Wayne', state: 'IN', postalCode: zip, country: 'US' } }),
})

/** A bank account as it is typed on our page. */
export const newAccount = (number = '123456789'): NewMethod => ({
  type: 'eCheck',
  holder: 'Ada Payer',
  typedMethod: {
    kind: 'bank',
    account: { number: new SealedText(number), bankCode: ROUTING_NUMBER, bankName: 'First Bank', accountType: 'checking' },
  },
})

/** An order as the engine makes it. */
export const newOrder = (change: Partial<ChargeOrder> = {}): ChargeOrder => ({
  merchantReference: createReference(authorize.reference, ''),
  amount: { minor: 5_000n, currency: 'USD' },
  methodType: 'card',
  invoiceNumbers: ['INV-1', 'INV-2'],
  legalName: 'Liberty Wireless',
  customerId: 7,
  entryReference: null,
  providerCustomerId: null,
  returnUrl: 'http://localhost:3000/payment-result',
  client: { ip: '192.0.2.1', userAgent: 'a browser' },
  ...change,
})

export const STORE_OPTIONS = {
  client: { ip: '192.0.2.1', userAgent: 'a browser' },
  returnUrl: 'http://localhost:3000',
  id: 'id',
  customerId: 7,
}

const storeMethod = async (at: AuthorizeContext, method: NewMethod): Promise<KnownMethod> => {
  const providerCustomerId = (await authorize.storing.createCustomer?.(at, { reference: '7', name: 'Ada', key: randomUUID() })) ?? ''
  const stored = await authorize.storing.store(at, providerCustomerId, method, STORE_OPTIONS)
  if (stored.state !== 'succeeded') throw new Error(`the method was not stored: ${JSON.stringify(stored)}`)
  const { token, kind, details } = stored.method
  return { token, kind, details, providerCustomerId }
}

/** Starts the sandbox; what the adapter sends is collected in `transcripts`. */
export const startTestAuthorize = async (transcripts: string[] = []): Promise<TestAuthorize> => {
  const sandbox = await testSandbox()
  const context = (settings: Partial<AuthorizeSettings> = {}, now = new Date()): AuthorizeContext => ({
    settings: { ...SETTINGS, ...settings },
    baseUrl: `${sandbox.url}/authorize`,
    http: createHttpClient({
      timeoutMs: 1_500,
      scrub: (text) => authorize.redact(text),
      record: (transcript) => void transcripts.push(transcript),
    }),
    now,
    cache: createProviderCache(() => new Date()),
  })
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(sandbox.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    sandbox,
    context,
    storeCard: (at = context()) => storeMethod(at, { ...newCard(), type: 'card' }),
    storeAccount: (at = context()) => storeMethod(at, newAccount()),
    settleBatch: async () => {
      await post('/authorize/settle-batch', {})
    },
    settle: async (id, outcome) => {
      const { ok } = await post('/settle', { provider: 'authorize', id, outcome })
      if (!ok) throw new Error(`${id} cannot be settled as ${outcome}`)
    },
    fault: (order) => sandbox.fault({ provider: 'authorize', ...order }),
    call: async (name, fields, loginId = ACCOUNT) => {
      const body = { [name]: { merchantAuthentication: { name: loginId, transactionKey: TRANSACTION_KEY }, ...fields } }
      const text = await (await post('/authorize/xml/v1/request.api', body)).text()
      return JSON.parse(text.replace('\uFEFF', '')) as Record<string, unknown>
    },
  }
}
