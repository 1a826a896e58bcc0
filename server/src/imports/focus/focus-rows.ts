import { OperatorError } from '../../kit/api-error.ts'
import { BadRow } from '../bad-row.ts'
import { type CsvLines, type CsvRecord, csvLines } from '../csv-lines.ts'
import { readHead } from '../decompress.ts'
import { openParquet, PARQUET_MAGIC } from '../parquet/parquet-rows.ts'
import { textLines, TOO_LONG_LINE } from '../text-lines.ts'
import { focusVersion, type FocusColumns, parseFocusHeader } from './columns.rules.ts'
import { type FocusRow, parseFocusRow } from './focus.rules.ts'

/** A row of the file, or the reason why it is rejected. */
export type FocusLine = { readonly line: number; readonly row: FocusRow } | { readonly line: number; readonly reason: string }

/** What is known of a file before its first row. */
export interface FocusFileHead {
  readonly version: string
  /** The number of rows, which a Parquet file states; null for CSV. */
  readonly rows: number | null
}

/**
 * Reads the rows of a FOCUS file in order, CSV or Parquet; bad ones come with the reason. Each is checked by itself and against its
 * customer's currency: a customer is billed in one.
 * @param currencies the currencies of customers, by external id; those of new customers are added
 * @param onHead told what is known before the first row
 * @throws OperatorError when the file has no usable header or cannot be read
 */
export async function* focusRows(
  source: AsyncIterable<Uint8Array>,
  currencies: Map<string, string>,
  onHead?: (head: FocusFileHead) => void,
): AsyncGenerator<FocusLine> {
  const { head, all } = await readHead(source, PARQUET_MAGIC.length)
  if (head.subarray(0, PARQUET_MAGIC.length).equals(PARQUET_MAGIC)) {
    const file = await openParquet(all)
    try {
      const columns = parseFocusHeader(1, file.columns)
      onHead?.({ version: focusVersion(columns), rows: file.rows })
      for await (const record of file.records()) yield readRow(columns, record, currencies)
    } finally {
      await file.close()
    }
    return
  }
  let columns: FocusColumns | undefined
  const csv = csvLines('closing quote')
  for await (const record of csvRecords(all, csv)) {
    if (columns !== undefined) yield readRow(columns, record, currencies)
    else if ('fields' in record) {
      columns = parseFocusHeader(record.line, record.fields, csv.separator)
      onHead?.({ version: focusVersion(columns), rows: null })
    } else throw new OperatorError(`line ${record.line}: ${record.reason}`)
  }
}

/** Reads the records of a CSV file. @throws OperatorError for a line that is too long */
async function* csvRecords(source: AsyncIterable<Uint8Array>, csv: CsvLines): AsyncGenerator<CsvRecord> {
  for await (const lines of textLines(source)) {
    const tooLong = lines.find(({ reason }) => reason === TOO_LONG_LINE)
    if (tooLong !== undefined) throw new OperatorError(`line ${tooLong.line}: ${TOO_LONG_LINE}; this is not a FOCUS file`)
    yield* csv.read(lines)
  }
  yield* csv.rest()
}

/** A record as a charge, or the reason why the record is refused; the currency of a new customer is added to `currencies`. */
const readRow = (columns: FocusColumns, record: CsvRecord, currencies: Map<string, string>): FocusLine => {
  if ('reason' in record) return record
  try {
    const row = parseFocusRow(columns, record.fields)
    const currency = currencies.get(row.customer) ?? row.currency
    if (currency !== row.currency)
      throw new BadRow(`BillingCurrency: ${row.currency}, but customer ${row.customer} is billed in ${currency}`)
    currencies.set(row.customer, currency)
    return { line: record.line, row }
  } catch (error) {
    if (error instanceof BadRow) return { line: record.line, reason: error.message }
    throw error
  }
}
