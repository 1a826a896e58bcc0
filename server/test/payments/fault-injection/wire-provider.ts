import { saveAccount } from '../../../src/payments/accounts/accounts.ts'
import type { AppContext } from '../../../src/context.ts'
import { MONERIS_CARDS, MONERIS_SETTINGS } from '../moneris-context.ts'
import type { Answer } from '../../support/http-client.ts'
import type { PayingCustomer } from '../payments-fixture.ts'
import { accountKeys, type TestSandbox, WEBHOOK_SECRET } from '../sandbox.ts'

/** A provider as its stand-in speaks it over the wire, and how to pay through it. */
export interface WireProvider {
  readonly name: string
  readonly type: number
  readonly currency: string
  readonly settings: (resellerId: number) => object
  /** Whether an operator decides about a payment that was perhaps never sent: nothing at the provider proves that it was not. */
  readonly leavesToOperator: boolean
  /** What the page of a payment link sends of the card. */
  readonly cardFields: (sandbox: TestSandbox) => Promise<object>
  /** Stores methods through the API; each gives the method's id. */
  readonly store: Readonly<Partial<Record<'card' | 'bank', (payer: PayingCustomer, sandbox: TestSandbox) => Promise<Answer>>>>
}

const TYPED_CARD = { expirationDate: '2031-12', cardCode: '739' }

/** Every provider that takes payments, by name. */
export const WIRE_PROVIDERS: readonly WireProvider[] = [
  {
    name: 'stripe',
    type: 1,
    currency: 'AUD',
    settings: (id) => ({ secretKey: accountKeys(id).secret, webhookSecrets: [WEBHOOK_SECRET] }),
    leavesToOperator: false,
    cardFields: async () => ({ cardToken: 'pm_card_visa' }),
    store: {},
  },
  {
    name: 'moneris',
    type: 5,
    currency: 'CAD',
    settings: (id) => ({ ...MONERIS_SETTINGS, storeId: `store${id}` }),
    leavesToOperator: true,
    cardFields: async () => ({ cardNumber: MONERIS_CARDS.visa, ...TYPED_CARD }),
    store: {
      card: (payer) =>
        payer.me.post('/v1/ec/moneris/cards', { cardNumber: MONERIS_CARDS.visa, cvdValue: '739', expMonth: '12', expYear: '2031' }),
    },
  },
]

/** @throws Error for a name that no provider has */
export const findWireProvider = (name: string): WireProvider => {
  const provider = WIRE_PROVIDERS.find((one) => one.name === name)
  if (provider === undefined) throw new Error(`there is no provider ${name}`)
  return provider
}

/** Connects a reseller to its own account at the provider's stand-in. */
export const connectWireProvider = (
  context: AppContext,
  sandbox: TestSandbox,
  { name: provider, settings }: WireProvider,
  resellerId: number,
): Promise<void> => saveAccount(context, { resellerId, provider, baseUrl: `${sandbox.url}/${provider}`, settings: settings(resellerId) })
