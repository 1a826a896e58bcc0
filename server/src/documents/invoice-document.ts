/**
 * Everything printed on an invoice as plain data, which is what the render thread receives.
 * Amounts are decimal texts with the currency's digits, already rounded; the renderer adds the currency's symbol and
 * thousands separators, and computes only the exact subtotal of a service with several lines.
 */
export interface InvoiceDocument {
  /** "Invoice", or the brand's own word ("Rechnung"); "Credit note" of a credit note, which brands have no word for. */
  readonly title: string
  readonly number: string
  /** Days as YYYY-MM-DD, UTC. */
  readonly issuedOn: string
  /** Null for a credit note. */
  readonly dueOn: string | null
  /** "November 2026", or null where the invoice has no billing period. */
  readonly periodLabel: string | null
  readonly currency: string
  readonly currencySymbol: string
  readonly seller: Party & { readonly registrationNumber: string | null; readonly email: string | null; readonly phone: string | null }
  readonly customer: Party & { readonly reference: string | null }
  readonly status: 'open' | 'overdue' | 'paid' | 'credited' | 'in-collection' | 'credit-note'
  /** In print order; lines of one service are adjacent. An empty list prints a line that says so. */
  readonly lines: readonly InvoiceLine[]
  readonly netTotal: string
  readonly taxes: readonly InvoiceTax[]
  readonly total: string
  readonly amountDue: string
  readonly adjustments: InvoiceAdjustments
  /** The number of the invoice that a credit note corrects; null for an invoice, and where the source does not say. */
  readonly corrects: string | null
  /** What a credit note still gives; null for an invoice. It is printed in place of the amount due. */
  readonly credit: string | null
  /** The payment page (http or https; anything else is left out); null when payments are off or nothing is due. */
  readonly paymentUrl: string | null
  readonly terms: string | null
  readonly brand: {
    readonly name: string
    /** #rrggbb; used for rules and headings, darkened when it would not be legible on white. */
    readonly colour: string
    /** SVG, PNG or JPEG for a white background; null or an unreadable file prints the brand's name instead. */
    readonly logo: { readonly contentType: string; readonly bytes: Uint8Array } | null
  }
  /** BCP 47, for the document's language and the form of its dates. */
  readonly language: string
}

/** A tax; rate and base are null where the source states the amount alone. */
export interface InvoiceTax {
  readonly name: string
  readonly ratePercent: string | null
  readonly base: string | null
  readonly amount: string
}

/** What stands between two figures that would not add up by reading; null where they do. */
interface InvoiceAdjustments {
  /** Between the lines and the net total. */
  readonly net: InvoiceAdjustment | null
  /** Between the net total with its taxes and the total. */
  readonly tax: InvoiceAdjustment | null
  /** Between the total and the amount due, or a credit note's credit. */
  readonly due: InvoiceAdjustment | null
}

/** A name such as "Rounding" or "Paid", and what it adds. */
export interface InvoiceAdjustment {
  readonly name: string
  readonly amount: string
}

interface Party {
  readonly name: string
  readonly addressLines: readonly string[]
}

export interface InvoiceLine {
  /** The service of the line; adjacent lines with the same service share one heading. "" has no heading. */
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
