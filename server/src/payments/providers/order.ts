import type { Money } from '@counterfoil/contract/kit/money'
import type { MethodSummary } from './method.ts'

/** The form of our references at a provider: so many characters of this alphabet. */
export interface ReferenceFormat {
  readonly alphabet: string
  readonly length: number
}

/** The payer's browser, which debit mandates record. */
export interface ClientInfo {
  readonly ip: string
  readonly userAgent: string
}

export interface ChargeOrder {
  /** Our reference, stored before the request; the provider gets it as its idempotency key or order id. */
  readonly merchantReference: string
  readonly amount: Money
  readonly methodType: string
  readonly invoiceNumbers: readonly string[]
  readonly legalName: string
  /** Our id of the customer. */
  readonly customerId: number
  /** What `createCardForm` asked to keep; null where the form was created without it. */
  readonly entryReference: string | null
  /** The provider's customer id, where a stored method needs one. */
  readonly providerCustomerId: string | null
  /** Where the browser returns after confirming; null when no payer is present. */
  readonly returnUrl: string | null
  readonly client: ClientInfo | null
}

/** An order that may have been sent, as we know it: all that a look-up can compare with the provider's books. */
export interface SentOrder {
  readonly merchantReference: string
  /** The provider's own id, once it gave one. */
  readonly providerRef: string | null
  readonly amount: Money
  readonly methodType: string
  /** What may be shown of the card or account, where it is known. */
  readonly method: MethodSummary | null
  readonly sentAt: Date | null
  /** What was refunded as far as we know, in minor units: a list that shows less lags. */
  readonly refunded?: bigint
}

/** An order to which the provider has given its own id, `providerRef`. */
export interface IdentifiedOrder extends SentOrder {
  readonly providerRef: string
  /** What was refunded as far as we know, in minor units. */
  readonly refunded: bigint
}
