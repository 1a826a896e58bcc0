/** The content of a receipt, stored until it is sent. */
export interface ReceiptFacts {
  readonly amount: string
  readonly fee: string | null
  readonly currency: string
  readonly symbol: string
  readonly invoices: readonly string[]
  /** Absent in receipts that were queued before there was one. */
  readonly reference?: string
  /** YYYY-MM-DD */
  readonly paidAt: string
}
