import { type Static, Type } from 'typebox'
import { Day, Instant } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { nullable } from '../kit/http/nullable.ts'

export const Invoice = Type.Object({
  id: Type.Integer(),
  number: Type.String(),
  amount: Type.Number({ description: "With the currency's digits" }),
  amountDue: Type.Number({ description: 'What is due; below zero: what a credit note still gives, which nothing is taken off by itself' }),
  dateInvoice: Day,
  dateDue: Day,
  dateGenerated: Instant,
  paid: Type.Boolean(),
  canPay: Type.Boolean({ description: 'Open or overdue with something due, and payments are enabled' }),
  payToken: nullable(Type.String(), 'Opens /pay/{payToken}; null where payments are off'),
  selected: Type.Boolean(),
  fee: Type.Number({ description: 'What is added when it is paid by card; 0 where nothing is, or where it cannot be paid' }),
  invoiceStatus: Type.Integer({ description: '1 open, 5 overdue, 7 in collection, 9 credited, 11 paid' }),
  isCredited: Type.Boolean(),
  periodLabel: Type.String({ description: 'The billing period, as in November 2026; in English; empty where it has none' }),
  periodStart: nullable(Day, 'The first day of the billing period; null where it has none'),
  periodEnd: nullable(Day, 'The last day that belongs to it'),
  currency: Type.String({ description: 'ISO 4217' }),
  currencySymbol: Type.String(),
})
export type Invoice = Static<typeof Invoice>

/** The list holds the newest invoices up to this number: decades of monthly ones. */
export const MAX_LISTED_INVOICES = 5_000

/** The most invoices of one ZIP file, of one PDF file, and the most ids that an address can name. */
export const MAX_ZIPPED_INVOICES = 1_000
export const MAX_JOINED_INVOICES = 250
export const MAX_CHOSEN_INVOICES = 500

/** The header with the number of documents of an archive, by which a truncated file is recognised. */
export const DOCUMENT_COUNT_HEADER = 'X-Document-Count'

/** One file with a PDF for each invoice, or one PDF of all. */
export const ARCHIVE_FORMATS = ['zip', 'pdf'] as const
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number]

export const invoices = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/invoices',
    access: 'customer',
    sections: ['dashboard', 'invoices', 'reports'],
    summary: "The customer's invoices, newest first",
    response: Type.Array(Invoice),
  }),
  archive: endpoint({
    method: 'GET',
    path: '/v1/ec/invoices/archive',
    access: 'customer',
    sections: ['invoices'],
    summary: 'The PDFs of a year, or of chosen invoices, as one ZIP or one PDF; X-Document-Count says how many come',
    query: Type.Object(
      {
        year: Type.Optional(Type.Integer({ minimum: 1900, maximum: 9999, description: 'Of the day of issue; either year or ids' })),
        ids: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,15}(,[1-9]\\d{0,15})*$', description: 'Ids with commas between them' })),
        format: Type.Unsafe<ArchiveFormat>({ enum: ARCHIVE_FORMATS, default: 'zip' }),
      },
      { additionalProperties: false },
    ),
    response: { file: 'application/*' },
  }),
  document: endpoint({
    method: 'GET',
    path: '/v1/ec/invoices/{id}',
    access: 'customer',
    sections: ['dashboard', 'invoices'],
    summary: 'The invoice as a PDF file',
    params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    response: { file: 'application/pdf' },
  }),
}
