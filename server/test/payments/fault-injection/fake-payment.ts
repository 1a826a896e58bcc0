import type { ChargeResult } from '../../../src/payments/providers/charge-result.ts'
import type { ChargeOrder } from '../../../src/payments/providers/order.ts'

export const SECRET = 'signs the webhooks of the tests'
/** Of another account at the same provider. */
export const OTHER_SECRET = 'signs the webhooks of another account'
/** What a forged webhook is signed with. */
export const FORGED_SECRET = 'somebody else'

/** The settings of the account that is called. */
export interface Call {
  readonly settings: { readonly secret: string }
}

/** A payment in the provider's ledger. */
export interface FakePayment {
  readonly merchantReference: string
  readonly ref: string
  /** The secret of the account at which it was made. */
  readonly account: string
  readonly amount: ChargeOrder['amount']
  readonly invoiceNumbers: readonly string[]
  readonly createdAt: Date
  state: 'created' | 'requires_action' | 'processing' | 'succeeded' | 'voided' | 'declined' | 'canceled'
  isReversed: boolean
  refundedMinor: bigint
  /** Whether all of it went back before anybody was told that it was paid. */
  isGoneUnknown: boolean
}

export interface FakeWebhook {
  readonly raw: string
  readonly signature: string
  readonly dueAt: Date
}

/** What the provider says of a payment. */
export const resultOf = (payment: FakePayment): ChargeResult => {
  const { state, ref: providerRef, amount, isReversed, refundedMinor: refunded } = payment
  switch (state) {
    case 'succeeded':
      return { state, providerRef, amount, refunded, reversed: isReversed ? amount.minor : 0n }
    case 'processing':
      return { state, providerRef }
    case 'requires_action':
      return { state, providerRef, redirectUrl: `https://bank.example/${payment.merchantReference}` }
    case 'declined':
      return { state, reason: 'card_declined', userMessage: 'The card was declined.', providerCode: '05' }
    case 'voided':
      return { state, providerRef, detail: 'voided' }
    case 'canceled':
      return { state, detail: 'given up' }
    default:
      return { state: 'not_started', detail: 'not begun' }
  }
}
