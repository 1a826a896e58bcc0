import type { InvoiceDocument } from './invoice-document.ts'

/**
 * Everything printed on a receipt as plain data, which is what the render thread receives.
 * Amounts are decimal texts with the currency's digits, as in an invoice; the renderer computes no sums.
 */
export interface ReceiptDocument
  extends Pick<InvoiceDocument, 'title' | 'number' | 'currency' | 'currencySymbol' | 'seller' | 'customer' | 'brand' | 'language'> {
  readonly kind: 'receipt'
  /** YYYY-MM-DD, UTC. */
  readonly paidOn: string
  /** "Visa •••• 4242" */
  readonly method: string
  /** Short, for people: the same that the portal shows. */
  readonly reference: string
  /** The provider's id of the payment. */
  readonly providerReference: string | null
  /** What the reseller calls an invoice. */
  readonly invoiceLabel: string
  /** What was paid; `issuedOn` is null for a line that is not an invoice. */
  readonly lines: readonly { readonly description: string; readonly issuedOn: string | null; readonly amount: string }[]
  readonly fee: { readonly name: string; readonly amount: string } | null
  readonly total: string
  /** What the reseller has refunded since; null when nothing was. */
  readonly refunded: string | null
  /** The total minus what was refunded. */
  readonly netPaid: string
}
