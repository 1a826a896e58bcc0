import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import { linePages } from './line-pages.ts'

/** The rows of a file, and the bad ones among them. */
export interface RowReport {
  readonly rows: number
  readonly rejected: number
  /** Of records: the rows that repeat an earlier one of the file. */
  readonly repeated?: number
  /** Of usage: the bad rows that repeat a stored record with other values. */
  readonly repeatedWithOtherValues?: number
  readonly firstRejected: readonly RejectedRow[]
}

/** The file has bad rows and `skipBad` is off. */
export class BadRows extends OperatorError {
  readonly found: RowReport

  constructor(found: RowReport) {
    super(`${found.rejected.toLocaleString('en')} bad ${found.rejected === 1 ? 'row' : 'rows'} in the file; nothing was imported.`)
    this.found = found
  }
}

/** @throws BadRows where rows are bad and `skipBad` is off; OperatorError where all are */
export const refuseBadRows = (report: RowReport, skipBad: boolean): void => {
  if (report.rejected > 0 && !skipBad) throw new BadRows(report)
  if (report.rejected === report.rows) throw new OperatorError(`Every one of the ${report.rows} rows is bad; there is nothing to import.`)
}

/** Separates what several faults of a line are about; no field can contain it. */
export const NAMES_SEPARATOR = '\u001F'

/**
 * The reason for which a staged line is bad: a sentence for each of its faults.
 * @param faults separated by commas
 * @param named what each fault is about
 */
export const faultReason = (faults: string, named: string, toSentence: (fault: string, named: string) => string): string => {
  const names = named.split(NAMES_SEPARATOR)
  return faults
    .split(',')
    .map((fault, at) => toSentence(fault, names[at] ?? ''))
    .join('; ')
}

/** Bad rows that are read in one query, and bad rows that a report lists. */
const PAGE_ROWS = 10_000
const MAX_FIRST_REJECTED = 100

/**
 * Passes every bad row on, in the order of lines.
 * @param readPage reads at most `limit` faults of lines that follow a line
 * @returns the first of the rows
 */
export const listRejected = async <Fault extends { readonly line: number }>(
  readPage: (after: number, limit: number) => Promise<Fault[]>,
  toRejectedRow: (fault: Fault) => RejectedRow,
  reject: ((row: RejectedRow) => Promise<void>) | undefined,
): Promise<RejectedRow[]> => {
  const first: RejectedRow[] = []
  for await (const faults of linePages(readPage, PAGE_ROWS))
    for (const row of faults.map(toRejectedRow)) {
      if (first.length < MAX_FIRST_REJECTED) first.push(row)
      await reject?.(row)
    }
  return first
}
