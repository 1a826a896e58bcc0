import { randomUUID } from 'node:crypto'
import type { Store } from '../../db/database.ts'
import type { Clock } from '../../kit/clock.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import { findReseller } from '../find-reseller.ts'
import type { UnusualUsage } from '../unusual-usage.rules.ts'
import { createProgress } from '../progress.ts'
import type { ImportOrigin } from '../undo/note-import.queries.ts'
import { type Rejected, withUsageLoad } from './load-usage.ts'

export interface UsageDeps {
  readonly store: Store
  readonly clock: Clock
}

/** A file of usage, opened once: CSV with a header or JSON lines, plain or gzip. */
export interface UsageFile {
  open(): AsyncIterable<Uint8Array>
  /** Length in bytes; null when it is unknown. */
  readonly bytes: number | null
}

export interface UsageOptions {
  /** A name or an id of an existing reseller. */
  readonly reseller: string
  /** Import the good rows of a file that also has bad ones. */
  readonly skipBad: boolean
  readonly origin?: ImportOrigin
  /** Take the rows that repeat a stored record with other values, in its place; else they are bad. */
  readonly correct?: boolean
  progress(words: string): void
  /** Writes the audit entry after the import. */
  audit?(resellerId: number, what: string): Promise<void>
  /** Receives every bad row, in the order of lines. */
  reject?(row: RejectedRow): Promise<void>
}

export interface UsageImport {
  /** By which it is undone; null when nothing was new. */
  readonly importId: number | null
  /** All records of the file: imported, corrected, repeated and rejected. */
  readonly rows: number
  /** Records that were inserted. */
  readonly imported: number
  /** Records that were inserted in the place of one with other values. */
  readonly corrected: number
  /** Records that were in the database or earlier in the file already, with the same values. */
  readonly repeated: number
  readonly rejected: number
  /** Rejected because the record is stored with other values. */
  readonly repeatedWithOtherValues: number
  /** The first of the bad rows. */
  readonly firstRejected: readonly RejectedRow[]
  /** The numbers of the file that were rounded to 18 decimals, half to even. */
  readonly rounded: number
  /** Good rows of the file that may be a mistake. */
  readonly unusual: UnusualUsage
  readonly seconds: number
  readonly rowsPerSecond: number
  readonly reseller: { readonly id: number; readonly name: string }
}

/** The file has bad rows and `skipBad` is off. */
export class BadUsage extends OperatorError {
  readonly found: Pick<
    UsageImport,
    'rows' | 'imported' | 'corrected' | 'repeated' | 'rejected' | 'repeatedWithOtherValues' | 'firstRejected'
  >

  constructor(found: Pick<UsageImport, 'rows'> & Rejected) {
    super(`${found.rejected.toLocaleString('en')} bad ${found.rejected === 1 ? 'row' : 'rows'} in the file; nothing was imported.`)
    this.found = { ...found, imported: 0, corrected: 0, repeated: 0 }
  }
}

/**
 * Imports usage records for the customers of a reseller; customers, services, record types and service items must exist. The file is read
 * once, in bounded memory, into a staging table; one transaction inserts the usage records. The counters follow by deltas, which
 * `mergeUsage` merges later. A record is identified by customer, instant and external id: importing a file again adds only what is missing.
 * A record that comes with other values is bad, unless `correct` is on.
 * @throws BadUsage when rows are bad and `skipBad` is off; OperatorError for any other problem. Then nothing is stored
 */
export const importUsage = async (deps: UsageDeps, source: UsageFile, options: UsageOptions): Promise<UsageImport> => {
  const { store } = deps
  const reseller = await store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, options.reseller), { pool: 'background' })
  if (reseller === undefined) throw new OperatorError(`There is no reseller named ${options.reseller.trim()}.`)
  const startedAt = performance.now()
  const counts = await withUsageLoad(store, { resellerId: reseller.id, loadId: randomUUID(), now: deps.clock() }, async (load) => {
    const progress = createProgress('Read', source.bytes, options.progress)
    const { skipBad, correct = false, reject = async () => undefined } = options
    const staged = await load.stage(source.open(), progress)
    const { rows, rejected } = staged
    if (rows === 0) throw new OperatorError('The file holds no rows; there is nothing to import.')
    if (rejected > 0 && !skipBad && !correct) await load.rejectChanged()
    if (rejected > 0 && !skipBad) throw new BadUsage({ rows, ...(await load.listRejected(reject)) })
    if (rejected < rows) options.progress('Making usage records …')
    const inserted =
      rejected < rows ? await load.insert({ correct, skipBad, origin: options.origin }) : { imported: 0, corrected: 0, importId: null }
    if (inserted === null) await load.rejectChanged()
    const found = await load.listRejected(reject)
    if (inserted === null) throw new BadUsage({ rows, ...found })
    if (found.rejected === rows) throw new OperatorError(`Every one of the ${rows} rows is bad; there is nothing to import.`)
    return {
      ...staged,
      ...found,
      ...inserted,
      unusual: await load.countUnusual(),
      repeated: rows - found.rejected - inserted.imported - inserted.corrected,
    }
  })
  await options.audit?.(
    reseller.id,
    `${counts.rows} rows, ${counts.imported} new${counts.corrected > 0 ? `, ${counts.corrected} corrected` : ''}`,
  )
  const seconds = (performance.now() - startedAt) / 1_000
  return { ...counts, seconds, rowsPerSecond: Math.round(counts.rows / Math.max(seconds, 0.001)), reseller }
}
