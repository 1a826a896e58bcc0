import { saveAccount } from '../../../src/payments/accounts/accounts.ts'
import type { AppContext } from '../../../src/context.ts'
import { MONERIS_CARDS, MONERIS_SETTINGS } from '../moneris-context.ts'
import { accountKeys, type TestSandbox, WEBHOOK_SECRET } from '../sandbox.ts'

/** A provider through whose stand-in killed servers are paid. */
export interface KilledProvider {
  readonly name: string
  readonly type: number
  readonly currency: string
  readonly settings: (resellerId: number) => object
  /** Whether an operator decides about a payment that was perhaps never sent: nothing at the provider proves that it was not. */
  readonly leavesToOperator: boolean
  /** What the page of a payment link sends of the card. */
  readonly cardFields: (sandbox: TestSandbox) => Promise<object>
}

const TYPED_CARD = { expirationDate: '2031-12', cardCode: '739' }

/** Every provider that takes payments, by name. */
const KILLED_PROVIDERS: readonly KilledProvider[] = [
  {
    name: 'stripe',
    type: 1,
    currency: 'AUD',
    settings: (id) => ({ secretKey: accountKeys(id).secret, webhookSecrets: [WEBHOOK_SECRET] }),
    leavesToOperator: false,
    cardFields: async () => ({ cardToken: 'pm_card_visa' }),
  },
  {
    name: 'moneris',
    type: 5,
    currency: 'CAD',
    settings: (id) => ({ ...MONERIS_SETTINGS, storeId: `store${id}` }),
    leavesToOperator: true,
    cardFields: async () => ({ cardNumber: MONERIS_CARDS.visa, ...TYPED_CARD }),
  },
]

/** @throws Error for a name that no provider has */
export const findKilledProvider = (name: string): KilledProvider => {
  const provider = KILLED_PROVIDERS.find((one) => one.name === name)
  if (provider === undefined) throw new Error(`no servers are killed with ${name}`)
  return provider
}

/** Connects a reseller to its own account at the provider's stand-in. */
export const connectKilledProvider = (
  context: AppContext,
  sandbox: TestSandbox,
  { name: provider, settings }: KilledProvider,
  resellerId: number,
): Promise<void> => saveAccount(context, { resellerId, provider, baseUrl: `${sandbox.url}/${provider}`, settings: settings(resellerId) })
