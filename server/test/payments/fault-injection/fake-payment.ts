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
  readonly ourRef: string
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
