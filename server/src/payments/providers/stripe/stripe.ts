import { DEBIT_TYPES } from '@counterfoil/contract/kit/payments/payment-status'
import type { ProviderPage } from '../entry.ts'
import type { ProviderOf } from '../provider.ts'
import { checkStripeAccount, identifyStripeAccount } from './stripe-client.ts'
import { refund, stripeCharges } from './stripe-charges.ts'
import { stripeAmountLimits, stripeAmountStep } from './stripe-amounts.ts'
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

/** What Stripe's script needs of a page (docs.stripe.com/security/guide). */
const PAGE: ProviderPage = {
  script: { liveUrl: 'https://js.stripe.com/dahlia/stripe.js', standInPath: '/dahlia/stripe.js' },
  liveOrigins: {
    script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com'],
  },
}

/** Accounts for BACS and ACH are verified on Stripe's own page. */
const DEBIT_KINDS = {
  1: { type: DEBIT_TYPES[1], isEnteredOnOurPage: true },
  2: { type: DEBIT_TYPES[2], isEnteredOnOurPage: false },
  3: { type: DEBIT_TYPES[3], isEnteredOnOurPage: false },
  4: { type: DEBIT_TYPES[4], isEnteredOnOurPage: true },
}

/** As the pages of https://docs.stripe.com/payments say of each debit; SEPA as long as most take. */
const DEFAULT_DEBIT_DAYS: ReadonlyMap<string, number> = new Map([
  [DEBIT_TYPES[1], 3],
  [DEBIT_TYPES[2], 4],
  [DEBIT_TYPES[3], 4],
  [DEBIT_TYPES[4], 8],
])

/** Stripe (payment type 1): cards and debits, tokenized by its own script in the browser. */
export const stripe: ProviderOf<StripeSettings> = {
  name: 'stripe',
  reviewText: 'In the Stripe Dashboard, under Payments: search for the reference, which stands in the metadata of the payment.',
  idempotency: 'by-key',
  // A payment without a saved reference was never created (stripe-charges.ts).
  notFoundMeansUnpaidAfterMs: 0,
  account: {
    settings: StripeSettings,
    identifyingSettings: ['secretKey'],
    liveHosts: /(^|\.)stripe\.com$/,
    identify: identifyStripeAccount,
    check: checkStripeAccount,
  },
  entry: { accepts: ['token'], page: PAGE, payForm: { integrationType: 'Stripe', usesIframe: false, needsHolder: false } },
  storing: { pathFamily: 'payments', ...stripeMethods },
  amounts: { feeLines: ['CREDIT_CARD_FEE', 'DIRECT_DEBIT_FEE'], step: stripeAmountStep, limits: stripeAmountLimits },
  debits: { kinds: DEBIT_KINDS, bankingDays: ({ debitDays }, methodType) => debitDays ?? DEFAULT_DEBIT_DAYS.get(methodType) ?? null },
  refunds: { refund },
  webhooks: { isSigned: true, parse: parseStripeWebhook },
  ...stripeCharges,
  redact: (transcript) => SECRET_PATTERNS.reduce((text, secret) => text.replace(secret, '[sealed]'), transcript),
}
