import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import type { ImportOrigin } from '../undo/note-import.queries.ts'
import type { StagedCounts } from './record-staging.queries.ts'

export interface RecordsDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
}

/** A file of records, opened once: CSV with a header or JSON lines, plain or gzip. */
export interface RecordsFile {
  open(): AsyncIterable<Uint8Array>
  readonly bytes: number | null
}

export interface RecordsOptions {
  readonly reseller: string
  /** The brand of new records for which the file names none. */
  readonly brand: string | undefined
  /** The folder of the PDF files that invoices name. */
  readonly files: string | undefined
  readonly skipBad: boolean
  readonly origin?: ImportOrigin
  /** Report the result and store nothing. */
  readonly dryRun: boolean
  progress(words: string): void
  reject(row: RejectedRow): Promise<void>
  /** Writes the audit entry, as the last statement of the transaction. */
  audit(db: Db, resellerId: number, what: string): Promise<void>
}

export interface RecordsImport extends StagedCounts {
  /** By which it is undone; null when nothing was changed, and after a dry run. */
  readonly importId: number | null
  readonly added: number
  readonly changed: number
  /** Rows that equal what is stored. */
  readonly unchanged: number
  /** Invoices that the file has as open but that are paid or in collection here. */
  readonly kept: number
  readonly firstRejected: readonly RejectedRow[]
  /** Hints about data that is not an error. */
  readonly notes: readonly string[]
  /** The numbers of the file that were rounded to 18 decimals, half to even. */
  readonly rounded: number
  readonly dryRun: boolean
  readonly reseller: { readonly id: number; readonly name: string }
}

/** The file has bad lines and `skipBad` is off. */
export class BadRecords extends OperatorError {
  readonly found: StagedCounts & Pick<RecordsImport, 'firstRejected'>

  constructor(found: BadRecords['found']) {
    super(`${found.rejected.toLocaleString('en')} bad ${found.rejected === 1 ? 'row' : 'rows'} in the file; nothing was imported.`)
    this.found = found
  }
}
