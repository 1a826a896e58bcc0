import { stripe } from '../../../src/payments/providers/stripe/stripe.ts'
import { CARDS } from '../payments-fixture.ts'
import { accountKeys, WEBHOOK_SECRET } from '../sandbox.ts'
import type { ProviderDriver } from './provider-driver.ts'

const settings = (account: number | string) => ({ secretKey: accountKeys(account).secret, webhookSecrets: [WEBHOOK_SECRET] })
const KEYS = accountKeys('conformance')

export const STRIPE: ProviderDriver = {
  name: 'stripe',
  type: 1,
  currency: 'AUD',
  settings,
  leavesToOperator: false,
  knowsRepetitions: true,
  cardFields: async () => ({ cardToken: 'pm_card_visa' }),
  store: {},
  adapter: {
    provider: stripe,
    settings: settings('conformance'),
    secrets: [KEYS.secret, WEBHOOK_SECRET, 'a browser', '192.0.2.1'],
    givesReferenceFirst: true,
    enterCard: async ({ sandbox }, _purpose, { number = CARDS.good } = {}) => {
      const card = { 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': '2031', 'card[cvc]': '123' }
      const { id } = await sandbox.stripe('/v1/payment_methods', { key: KEYS.page, type: 'card', ...card }, KEYS.page)
      return { card: { typedMethod: { kind: 'token', token: String(id) } } }
    },
    declining: {
      card_declined: { number: CARDS.declined },
      insufficient_funds: { number: CARDS.poor },
      expired_card: { number: CARDS.expired },
      incorrect_cvc: { number: CARDS.wrongCode },
      try_again: { number: CARDS.broken },
    },
  },
}
