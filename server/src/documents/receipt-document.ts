import type { InvoiceDocument } from './invoice-document.ts'

/**
 * Everything that a receipt says, as plain data: what the renderer thread receives.
 * Amounts are decimal texts with the currency's digits, as in an invoice; the renderer adds nothing up.
 */
export interface ReceiptDocument
  extends Pick<InvoiceDocument, 'title' | 'number' | 'currency' | 'currencySymbol' | 'seller' | 'customer' | 'brand' | 'language'> {
  readonly kind: 'receipt'
  /** YYYY-MM-DD, UTC. */
  readonly paidOn: string
  /** "Visa •••• 4242" */
  readonly method: string
  /** The payment company's own name of the payment. */
  readonly reference: string | null
  /** What the reseller calls an invoice. */
  readonly invoiceLabel: string
  /** What was paid; `issuedOn` is null for what is no invoice. */
  readonly lines: readonly { readonly description: string; readonly issuedOn: string | null; readonly amount: string }[]
  readonly fee: { readonly name: string; readonly amount: string } | null
  readonly total: string
  /** What the reseller has given back since; null where nothing. */
  readonly refunded: string | null
  /** What is left of the total after that. */
  readonly netPaid: string
}
