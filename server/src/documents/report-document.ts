import type { Day } from '@counterfoil/contract/kit/day'
import type { InvoiceDocument } from './invoice-document.ts'

/** The file of a report as plain data: what its thread receives. */
export type ReportDocument = InvoiceDetailDocument | StatementDocument

/** An Excel workbook of one sheet with a head row. */
export interface Workbook {
  /** At most 31 characters. */
  readonly sheet: string
  readonly columns: readonly WorkbookColumn[]
  /** Taken one after the other, as they are written. */
  readonly rows: Iterable<readonly WorkbookCell[]> | AsyncIterable<readonly WorkbookCell[]>
}

export interface WorkbookColumn {
  readonly heading: string
  /** In characters. */
  readonly width: number
  /** How its numbers are shown, as Excel writes it: `#,##0.00`. */
  readonly format?: string
  /** Its texts are days, YYYY-MM-DD, and stand in the sheet as dates. */
  readonly isDay?: boolean
}

/** Numbers stand in the sheet as numbers, texts as texts that no spreadsheet runs. */
export type WorkbookCell = string | number | null

/** An invoice with the usage that it stands for. */
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
  /** In print order; rows of one service stand together. */
  readonly rows: readonly {
    readonly service: string
    readonly serviceItem: string
    readonly recordType: string
    readonly records: string
    readonly units: string
    readonly price: string
  }[]
  /** How many more rows there are than are printed. */
  readonly omittedRows: number
  /** Of all rows, those that are left out among them. */
  readonly records: string
  readonly price: string
}

/** What was owed before some days, what was billed in them, and what is due of both. Amounts are decimal texts with the currency's digits. */
export interface StatementDocument extends Pick<InvoiceDocument, 'title' | 'seller' | 'customer' | 'brand' | 'language'> {
  readonly kind: 'statement'
  readonly from: Day
  readonly to: Day
  /** The day on which amounts due are what they are said to be. */
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
    readonly dueOn: Day
    readonly status: string
    readonly amount: string
    readonly due: string
  }[]
  readonly invoicedTotal: string
  readonly periodDue: string
  readonly due: string
}
