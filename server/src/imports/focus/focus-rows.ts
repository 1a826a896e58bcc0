import { BadRow } from '../bad-row.ts'
import { type FocusColumns, parseFocusHeader } from './columns.rules.ts'
import { type CsvRecord, csvRecords } from './focus-reader.ts'
import { type FocusRow, parseFocusRow } from './focus.rules.ts'
import type { ScannedLines } from './scanned-lines.ts'

/** A row of the file, or the reason why it is rejected. */
export type FocusLine = { readonly line: number; readonly row: FocusRow } | { readonly line: number; readonly reason: string }

/**
 * The rows of a FOCUS file in order. Each is checked by itself and against its customer's currency: a customer is billed in one.
 * @param currencies the currencies of existing customers, by external id
 * @throws OperatorError when the file has no usable header or cannot be read
 */
export async function* focusRows(
  source: AsyncIterable<Uint8Array>,
  lines: ScannedLines,
  currencies: ReadonlyMap<string, string>,
): AsyncGenerator<FocusLine> {
  const customerCurrencies = new Map(currencies)
  let columns: FocusColumns | undefined
  for await (const record of csvRecords(source, lines)) {
    if (columns !== undefined) yield readRow(columns, record, customerCurrencies)
    else if ('fields' in record) columns = parseFocusHeader(record.line, record.fields)
  }
}

const readRow = (columns: FocusColumns, record: CsvRecord, customerCurrencies: Map<string, string>): FocusLine => {
  if ('reason' in record) return record
  try {
    const row = parseFocusRow(columns, record.fields)
    const currency = customerCurrencies.get(row.customer) ?? row.currency
    if (currency !== row.currency)
      throw new BadRow(`BillingCurrency: ${row.currency}, but customer ${row.customer} is billed in ${currency}`)
    customerCurrencies.set(row.customer, currency)
    return { line: record.line, row }
  } catch (error) {
    if (error instanceof BadRow) return { line: record.line, reason: error.message }
    throw error
  }
}
