import { OperatorError } from '../../kit/api-error.ts'
import { BadRow } from '../bad-row.ts'
import { type CsvRecord, csvLines } from '../csv-lines.ts'
import { textLines, TOO_LONG_LINE } from '../text-lines.ts'
import { focusVersion, type FocusColumns, parseFocusHeader } from './columns.rules.ts'
import { type FocusRow, parseFocusRow } from './focus.rules.ts'

/** A row of the file, or the reason why it is rejected. */
export type FocusLine = { readonly line: number; readonly row: FocusRow } | { readonly line: number; readonly reason: string }

/**
 * The rows of a FOCUS file in order. Each is checked by itself and against its customer's currency: a customer is billed in one.
 * @param currencies the currencies of existing customers, by external id
 * @param onVersion told the version of FOCUS once the header is read
 * @throws OperatorError when the file has no usable header or cannot be read
 */
export async function* focusRows(
  source: AsyncIterable<Uint8Array>,
  currencies: ReadonlyMap<string, string>,
  onVersion?: (version: string) => void,
): AsyncGenerator<FocusLine> {
  const customerCurrencies = new Map(currencies)
  let columns: FocusColumns | undefined
  for await (const record of csvRecords(source)) {
    if (columns !== undefined) yield readRow(columns, record, customerCurrencies)
    else if ('fields' in record) {
      columns = parseFocusHeader(record.line, record.fields)
      onVersion?.(focusVersion(columns))
    } else throw new OperatorError(`line ${record.line}: ${record.reason}`)
  }
}

async function* csvRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const csv = csvLines('closing quote')
  for await (const lines of textLines(source)) {
    const tooLong = lines.find(({ reason }) => reason === TOO_LONG_LINE)
    if (tooLong !== undefined) throw new OperatorError(`line ${tooLong.line}: ${TOO_LONG_LINE}; this is not a FOCUS file`)
    yield* csv.read(lines)
  }
  yield* csv.rest()
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
