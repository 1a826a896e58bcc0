import * as zlib from 'node:zlib'
import { type Compressors, type FileMetaData, parquetMetadataAsync, parquetReadObjects, snappyUncompress } from 'hyparquet'
import { OperatorError } from '../../kit/api-error.ts'
import type { CsvRecord } from '../csv-lines.ts'
import { type Spool, spool } from './spool.ts'
import { type ParquetColumn, removeDecimalTypes, TEXT_PARSERS, valueToText } from './parquet-values.rules.ts'

/** A Parquet file that is being read. */
export interface ParquetFile {
  readonly columns: readonly string[]
  readonly rows: number
  /** The rows as a CSV file would have them, counted from 1. @throws OperatorError when the file is damaged */
  records(): AsyncGenerator<CsvRecord>
  close(): Promise<void>
}

/** The first bytes of every Parquet file. */
export const PARQUET_MAGIC = Buffer.from('PAR1')

const MAX_PAGE_BYTES = 256 * 1_048_576
const MAX_ROW_GROUP_BYTES = 1_024 * 1_048_576
/** Rows that are read at a time; pages that lie before them are passed over, unless their column is nested. */
const SLICE_ROWS = 20_000

/**
 * Opens a Parquet file whose bytes come in order, by copying it to a temporary file. What is in memory grows with the row groups, not with
 * the file.
 * @throws OperatorError when the file is cut, damaged or too large to read
 */
export const openParquet = async (source: AsyncIterable<Uint8Array>): Promise<ParquetFile> => {
  const file = await spool(source)
  try {
    const metadata = await explainDamage(() => parquetMetadataAsync(file, { geoparquet: false }))
    assertReadable(metadata)
    const columns = removeDecimalTypes(metadata)
    return {
      columns: columns.map(({ name }) => name),
      rows: Number(metadata.num_rows),
      records: () => readRecords(file, metadata, columns),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** @throws OperatorError when a row group is too large for the memory, or the groups have another number of rows than the file */
const assertReadable = ({ row_groups: groups, num_rows: rows }: FileMetaData): void => {
  if (groups.reduce((sum, group) => sum + group.num_rows, 0n) !== rows) throw toDamagedError('its parts have another number of rows')
  for (const { columns } of groups) {
    const bytes = columns.reduce((sum, { meta_data: column }) => sum + Number(column?.total_compressed_size ?? 0), 0)
    if (bytes > MAX_ROW_GROUP_BYTES)
      throw new OperatorError('The file is Parquet with a row group of more than 1 GiB. Write it again with smaller row groups.')
  }
}

/** Reads the rows in slices of `SLICE_ROWS`, as texts. @throws OperatorError when the file is damaged */
async function* readRecords(file: Spool, metadata: FileMetaData, columns: readonly ParquetColumn[]): AsyncGenerator<CsvRecord> {
  let groupStart = 0
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows)
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += SLICE_ROWS) {
      const rowEnd = Math.min(rowStart + SLICE_ROWS, groupEnd)
      const slice = { file, metadata, rowStart, rowEnd, compressors: COMPRESSORS, parsers: TEXT_PARSERS, utf8: false, useOffsetIndex: true }
      const rows = await explainDamage(() => parquetReadObjects(slice))
      if (rows.length !== rowEnd - rowStart) throw toDamagedError('rows are missing')
      for (const [at, row] of rows.entries()) yield toRecord(rowStart + at + 1, row, columns)
    }
    groupStart = groupEnd
  }
}

/** A row as a CSV file would have it, or as refused where a value holds a NUL. */
const toRecord = (line: number, row: Readonly<Record<string, unknown>>, columns: readonly ParquetColumn[]): CsvRecord => {
  const fields = columns.map(({ name, scale }) => valueToText(row[name], scale))
  return fields.some((field) => field.includes('\0')) ? { line, reason: 'it holds a NUL byte' } : { line, fields }
}

/** A page is never larger than its header says, nor than a limit. */
const COMPRESSORS: Compressors = {
  SNAPPY: (bytes, length) => {
    const page = new Uint8Array(assertPageLength(length))
    snappyUncompress(bytes, page)
    return page
  },
  GZIP: (bytes, length) => zlib.gunzipSync(bytes, toLimit(length)),
  BROTLI: (bytes, length) => zlib.brotliDecompressSync(bytes, toLimit(length)),
  ZSTD: (bytes, length) => zlib.zstdDecompressSync(bytes, toLimit(length)),
}

/** The options that let zlib make no more bytes than these. zlib takes no limit of zero, which a page without values has. */
const toLimit = (length: number) => ({ maxOutputLength: Math.max(1, assertPageLength(length)) })

/** @returns the length itself @throws RangeError for a page above `MAX_PAGE_BYTES` */
const assertPageLength = (length: number): number => {
  if (!(length >= 0 && length <= MAX_PAGE_BYTES)) throw new RangeError(`a page of ${length} bytes`)
  return length
}

/**
 * Runs a read and turns its errors into an OperatorError: whatever the reader throws means that the file is not as it should be. Errors of
 * the file system are thrown as they are.
 */
const explainDamage = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall === 'string') throw error
    const [, codec] = /unsupported compression codec: (\w+)/.exec((error as Error).message) ?? []
    if (codec !== undefined)
      throw new OperatorError(
        `The file is Parquet compressed with ${codec}, which cannot be read. Write it with Snappy, gzip or Zstandard.`,
        {
          cause: error,
        },
      )
    throw toDamagedError((error as Error).message, error)
  }
}

/** The error for a file that is cut or damaged. */
const toDamagedError = (why: string, cause?: unknown): OperatorError =>
  new OperatorError(`The file is Parquet, and cut or damaged (${why}).`, { cause })
