import { type CsvColumn, toCsv } from '@counterfoil/contract/kit/csv'
import { roundToUnits, unitsToText } from '@counterfoil/contract/kit/decimal'
import type { Transaction } from '@counterfoil/contract/transactions'
import type { ExtraField } from './extra-fields.ts'
import { toPlainDecimal } from './plain-decimal.ts'

const PRICE_DECIMALS = 2

/**
 * The text of a CSV file with transactions, the extra columns at the end (TXN-04), and the currency where there is more than one. Prices
 * have two decimals, rounded half away from zero. Quantities keep all digits. Days are YYYY-MM-DD.
 */
export const transactionsCsv = (rows: readonly Transaction[], extraFields: readonly ExtraField[]): string => {
  const extraColumns = extraFields.map(({ key, label }): CsvColumn<Transaction> => ({ label, cell: (row) => row[key] }))
  const hasCurrencies = rows.some(({ currency }) => currency !== rows[0]?.currency)
  return toCsv([...COLUMNS, ...extraColumns, ...(hasCurrencies ? [CURRENCY] : [])], rows)
}

const CURRENCY: CsvColumn<Transaction> = { label: 'Currency', cell: ({ currency }) => currency }

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

/** The price with two decimals, rounded half away from zero: no symbol, no separators. */
const toPriceText = (price: number): string => unitsToText(roundToUnits(toPlainDecimal(price), PRICE_DECIMALS), PRICE_DECIMALS)
