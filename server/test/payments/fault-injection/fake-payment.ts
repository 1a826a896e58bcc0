import type { ChargeOrder } from '../../../src/payments/providers/provider.ts'

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
