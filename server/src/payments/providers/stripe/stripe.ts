import type { PaymentProvider } from '../provider.ts'
import { checkStripe } from './stripe-client.ts'
import { stripeCharges } from './stripe-charges.ts'
import { stripeMethods } from './stripe-methods.ts'
import { receiveStripe } from './stripe-webhooks.ts'
import { StripeSettings } from './stripe.settings.ts'

const SECRETS = [
  /\b(?:sk|rk)_(?:test|live)_\w+/g,
  /\bwhsec_\w+/g,
  /_secret_\w+/g,
  /(?<=(?:number|cvc|account_number|iban)(?:%5D|\])?=)[^&\s]+/g,
  /(?<="(?:email|name|phone|line1|line2|ip_address|user_agent|receipt_email)":\s?")[^"]*/g,
  /(?<=(?:name|email|phone|line1|line2|ip_address|user_agent)(?:%5D|\])=)[^&\s]+/g,
]

/** Stripe (payment type 1): cards and debits, tokens made by its own script in the browser. */
export const stripe: PaymentProvider<StripeSettings> = {
  name: 'stripe',
  settings: StripeSettings,
  live: /(^|\.)stripe\.com$/,
  repeat: 'by-key',
  check: checkStripe,
  ...stripeMethods,
  ...stripeCharges,
  receive: receiveStripe,
  scrub: (transcript) => SECRETS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
