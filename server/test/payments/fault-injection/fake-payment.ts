import type { ChargeOrder } from '../../../src/payments/providers/provider.ts'

/** A payment in the provider's ledger. */
export interface FakePayment {
  readonly ourRef: string
  readonly ref: string
  readonly amount: ChargeOrder['amount']
  readonly invoiceNumbers: readonly string[]
  readonly createdAt: Date
  state: 'created' | 'requires_action' | 'processing' | 'succeeded' | 'voided' | 'declined' | 'canceled'
  isReversed: boolean
  refundedMinor: bigint
}

export interface FakeWebhook {
  readonly raw: string
  readonly signature: string
  readonly dueAt: Date
}
