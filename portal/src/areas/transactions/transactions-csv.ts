import { type CsvColumn, toCsv } from '@counterfoil/contract/kit/csv'
import { toDecimalText, roundToUnits } from '@counterfoil/contract/kit/money'
import type { Transaction } from '@counterfoil/contract/transactions'
import type { ExtraField } from './extra-fields.ts'

/** ISO 4217's code for an amount without a currency: two decimals. */
const NO_CURRENCY = 'XXX'
const PRICE_DECIMALS = 2
/** The most decimals that a JSON number can mean. */
const MAX_DECIMALS = 20

/**
 * Transactions as the file that is downloaded: the columns of portal.md §9, then the extra ones of the screen.
 * Prices have two decimals, rounded half away from zero; quantities have all of theirs; days are YYYY-MM-DD.
 */
export const transactionsCsv = (rows: readonly Transaction[], extraFields: readonly ExtraField[]): string =>
  toCsv([...COLUMNS, ...extraFields.map(({ key, label }): CsvColumn<Transaction> => ({ label, cell: (row) => row[key] }))], rows)

const COLUMNS: readonly CsvColumn<Transaction>[] = [
  { label: 'Product', cell: ({ productLabel }) => productLabel },
  { label: 'Code', cell: ({ productName }) => productName },
  { label: 'Service', cell: ({ serviceName }) => serviceName },
  { label: 'Service Item', cell: ({ serviceItem }) => serviceItem },
  { label: 'Site', cell: ({ siteLabel }) => siteLabel },
  { label: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber },
  { label: 'Price', cell: ({ price }) => toPriceText(price), isFigure: true },
  { label: 'Qty', cell: ({ quantity }) => toPlainDecimal(quantity), isFigure: true },
  { label: 'From', cell: ({ dateFrom }) => dateFrom, isFigure: true },
  { label: 'To', cell: ({ dateTo }) => dateTo, isFigure: true },
]

const toPriceText = (price: number): string =>
  toDecimalText({ minor: roundToUnits(toPlainDecimal(price), PRICE_DECIMALS), currency: NO_CURRENCY })

/** A number without an exponent, which no spreadsheet would read as the same. */
const toPlainDecimal = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? value.toFixed(MAX_DECIMALS).replace(/\.?0+$/, '') : text
}
