/** A payment whose money was taken back or given back again by a bank, or may have been: it is looked up. */
export interface ReturnedPayment {
  readonly ourRef: string | null
  readonly providerRef: string
}
