import type { Invoice } from '@counterfoil/contract/invoices'
import { type CsvColumn, toCsv } from '@counterfoil/contract/kit/csv'
import { roundToUnits, unitsToText } from '@counterfoil/contract/kit/decimal'
import { toFileName } from '@counterfoil/contract/kit/file-name'
import { currencyDigits } from '@counterfoil/contract/kit/money'
import { amountOwed, creditOf, isCreditNote, invoiceState } from '../../../payments/invoices/invoice-state.ts'

/**
 * The text of a CSV file with the invoices (EASE-05). Amounts have their currency's digits, days are YYYY-MM-DD.
 * @param label what the brand calls an invoice
 */
export const invoicesCsv = (invoices: readonly Invoice[], label: string): string => toCsv([numberColumn(label), ...COLUMNS], invoices)

/** The column of the invoice's number, under what the brand calls an invoice. */
const numberColumn = (label: string): CsvColumn<Invoice> => ({ label, cell: ({ number }) => number })

const COLUMNS: readonly CsvColumn<Invoice>[] = [
  { label: 'Period from', cell: ({ periodStart }) => periodStart, isFigure: true },
  { label: 'Period to', cell: ({ periodEnd }) => periodEnd, isFigure: true },
  { label: 'Issued', cell: ({ dateInvoice }) => dateInvoice, isFigure: true },
  { label: 'Due', cell: (invoice) => (isCreditNote(invoice) ? null : invoice.dateDue), isFigure: true },
  { label: 'Status', cell: (invoice) => invoiceState(invoice).label },
  { label: 'Amount', cell: ({ amount, currency }) => amountText(amount, currency), isFigure: true },
  { label: 'Amount due', cell: (invoice) => amountText(amountOwed(invoice), invoice.currency), isFigure: true },
  { label: 'Credit', cell: (invoice) => amountText(creditOf(invoice), invoice.currency), isFigure: true },
  { label: 'Currency', cell: ({ currency }) => currency },
]

/** The amount with its currency's number of decimals, such as "1206.15": no symbol, no separators. */
const amountText = (amount: number, currency: string): string =>
  unitsToText(roundToUnits(String(amount), currencyDigits(currency)), currencyDigits(currency))

/** Such as "Invoices.csv", or "Rechnungen_2026.csv" where one year is shown; characters that no file name may have become "_". */
export const invoicesFileName = (labelPlural: string, year: string, ending: string): string =>
  toFileName([labelPlural, year].filter((part) => part !== '').join('_')) + ending
