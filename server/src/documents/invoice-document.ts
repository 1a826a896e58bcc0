/**
 * Everything that an invoice's paper says, as plain data: what the renderer thread receives.
 * Amounts are decimal texts with the currency's digits, already rounded; the renderer adds the currency's symbol and
 * thousands separators, and adds nothing up but the subtotal of a service, exactly, where it has several lines.
 */
export interface InvoiceDocument {
  /** "Invoice", or the brand's own word ("Rechnung"). */
  readonly title: string
  readonly number: string
  /** Days as YYYY-MM-DD, UTC. */
  readonly issuedOn: string
  readonly dueOn: string
  /** "November 2026", or null where the invoice has no billing period. */
  readonly periodLabel: string | null
  readonly currency: string
  readonly currencySymbol: string
  readonly seller: Party & { readonly companyNumber: string | null; readonly email: string | null; readonly phone: string | null }
  readonly customer: Party & { readonly reference: string | null }
  readonly status: 'open' | 'overdue' | 'paid' | 'credited' | 'in-collection'
  /** In print order; lines of one service stand together. None is said to be none. */
  readonly lines: readonly InvoiceLine[]
  readonly netTotal: string
  readonly taxes: readonly { readonly name: string; readonly ratePercent: string; readonly base: string; readonly amount: string }[]
  readonly total: string
  readonly amountDue: string
  /** Where the invoice can be paid (http or https; anything else is left out); null where payments are off or nothing is due. */
  readonly paymentUrl: string | null
  readonly terms: string | null
  readonly brand: {
    readonly name: string
    /** #rrggbb; used for rules and headings, darkened by the renderer where it would not be legible on white. */
    readonly colour: string
    /** SVG or PNG or JPEG, on white; null, and a file that cannot be drawn, prints the brand's name instead. */
    readonly logo: { readonly contentType: string; readonly bytes: Uint8Array } | null
  }
  /** BCP 47, for the document's language and the form of its dates. */
  readonly language: string
}

interface Party {
  readonly name: string
  readonly addressLines: readonly string[]
}

export interface InvoiceLine {
  /** The service that the line belongs to; neighbours with the same one stand under one heading. "" has no heading. */
  readonly service: string
  readonly description: string
  readonly serviceItem: string | null
  readonly fromDay: string | null
  readonly toDay: string | null
  /** Decimal text as it is printed, e.g. "1,204.50"; null for flat charges. */
  readonly quantity: string | null
  readonly unit: string | null
  /** Decimal text with as many digits as the price has, e.g. "0.0125". */
  readonly unitPrice: string | null
  readonly amount: string
}
