import type { Day } from '@counterfoil/contract/kit/day'
import type { InvoiceDocument } from './invoice-document.ts'

/** A PDF report as plain data, which is what the report thread receives. */
export type ReportDocument = InvoiceDetailDocument | StatementDocument

/** An Excel workbook of one sheet with a head row. */
export interface Workbook {
  /** At most 31 characters. */
  readonly sheet: string
  readonly columns: readonly WorkbookColumn[]
  /** Read one by one while the file is written. */
  readonly rows: Iterable<readonly WorkbookCell[]> | AsyncIterable<readonly WorkbookCell[]>
}

export interface WorkbookColumn {
  readonly heading: string
  /** In characters. */
  readonly width: number
  /** The number format in Excel's notation: `#,##0.00`. */
  readonly format?: string
  /** True when its texts are days (YYYY-MM-DD), which are written as dates. */
  readonly isDay?: boolean
}

/** Numbers are written as numbers, texts as texts that no spreadsheet evaluates. */
export type WorkbookCell = string | number | null

/** An invoice with the usage that it bills. */
export interface InvoiceDetailDocument {
  readonly kind: 'invoice-detail'
  readonly invoice: InvoiceDocument
  /** Null where the invoice has no period. */
  readonly usage: InvoiceUsage | null
}

/** Sums of usage; units and prices are decimal texts. */
export interface InvoiceUsage {
  readonly from: Day
  readonly to: Day
  /** In print order; rows of one service are adjacent. */
  readonly rows: readonly {
    readonly service: string
    readonly serviceItem: string
    readonly recordType: string
    readonly records: string
    readonly units: string
    readonly price: string
  }[]
  /** How many rows are not printed. */
  readonly omittedRows: number
  /** Total of all rows, including the omitted ones. */
  readonly records: string
  readonly price: string
}

/** An account over some days: opening balance, invoices and amount due. Amounts are decimal texts with the currency's digits. */
export interface StatementDocument extends Pick<InvoiceDocument, 'title' | 'seller' | 'customer' | 'brand' | 'language'> {
  readonly kind: 'statement'
  readonly from: Day
  readonly to: Day
  /** The day to which the amounts due apply. */
  readonly createdOn: Day
  readonly invoiceLabel: string
  readonly invoiceLabelPlural: string
  /** One for each currency; the customer's own first. */
  readonly accounts: readonly StatementAccount[]
}

export interface StatementAccount {
  readonly currency: string
  readonly currencySymbol: string
  readonly opening: string
  /** Oldest first. */
  readonly invoices: readonly {
    readonly number: string
    readonly issuedOn: Day
    /** Null for a credit note. */
    readonly dueOn: Day | null
    readonly status: string
    readonly amount: string
    readonly due: string
  }[]
  readonly invoicedTotal: string
  readonly periodDue: string
  readonly due: string
  /** What credit notes still give; null where there is none. It is not taken off what is due. */
  readonly credit: string | null
}
