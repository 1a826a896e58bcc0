import type { PaymentProvider } from '../provider.ts'
import { checkStripeAccount } from './stripe-client.ts'
import { stripeCharges } from './stripe-charges.ts'
import { stripeMethods } from './stripe-methods.ts'
import { parseStripeWebhook } from './stripe-webhooks.ts'
import { StripeSettings } from './stripe.settings.ts'

const SECRET_PATTERNS = [
  /\b(?:sk|rk)_(?:test|live)_\w+/g,
  /\bwhsec_\w+/g,
  /_secret_\w+/g,
  /(?<=(?:number|cvc|account_number|iban)(?:%5D|\])?=)[^&\s]+/g,
  /(?<="(?:email|name|phone|line1|line2|ip_address|user_agent|receipt_email)":\s?")[^"]*/g,
  /(?<=(?:name|email|phone|line1|line2|ip_address|user_agent)(?:%5D|\])=)[^&\s]+/g,
]

/** Stripe (payment type 1): cards and debits, tokenized by its own script in the browser. */
export const stripe: PaymentProvider<StripeSettings> = {
  name: 'stripe',
  settings: StripeSettings,
  liveHosts: /(^|\.)stripe\.com$/,
  idempotency: 'by-key',
  checkAccount: checkStripeAccount,
  ...stripeMethods,
  ...stripeCharges,
  parseWebhook: parseStripeWebhook,
  redact: (transcript) => SECRET_PATTERNS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
