import type { Money } from '@counterfoil/contract/kit/money'
import type { Decline } from './decline.ts'

/** What a provider says of a payment. Only its explicit yes is `succeeded`; no answer is `unknown`, never `declined`. */
export type ChargeResult =
  /**
   * `amount` is what the provider charged; `refunded` and `reversed` are the totals returned since, in minor units. They are null where
   * this answer does not tell: what is recorded stays.
   */
  | {
      readonly state: 'succeeded'
      readonly providerRef: string
      readonly amount: Money
      readonly refunded: bigint | null
      readonly reversed: bigint | null
    }
  | { readonly state: 'processing'; readonly providerRef: string }
  | { readonly state: 'requires_action'; readonly providerRef: string; readonly redirectUrl: string }
  | Decline
  | { readonly state: 'unknown'; readonly detail: string }
  /** A charge that certainly moved no money and never will: the request did not reach the step that charges. */
  | {
      readonly state: 'not_sent'
      readonly detail: string
      /** What the payer is told, where it is not that the provider could not be reached. */
      readonly userMessage?: string
    }
  /** A look-up found nothing. It is final once the provider's `notFoundMeansUnpaidAfterMs` has passed: lists lag. */
  | { readonly state: 'absent'; readonly detail: string }
  /** The provider knows the payment and has not started it. Only look-ups return this, and it is not final. */
  | { readonly state: 'not_started'; readonly detail: string }
  /** Canceled at the provider: no money moved and none will. */
  | { readonly state: 'canceled'; readonly detail: string }
  /** Charged, and taken back whole before it was settled: the provider keeps nothing. Only look-ups and lists return this. */
  | { readonly state: 'voided'; readonly providerRef: string; readonly detail: string }

/** The words that an attempt's status shares with a provider's result; the others are a result's alone. */
export type PaymentState = Exclude<ChargeResult['state'], 'absent' | 'not_started' | 'canceled' | 'voided'>

/** A payment in the provider's own list. */
export interface ProviderPayment {
  /** Our reference; null where the payment is the reseller's own business. */
  readonly merchantReference: string | null
  readonly providerRef: string
  readonly result: ChargeResult
}
