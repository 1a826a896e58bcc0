import type { Clock } from '../../kit/clock.ts'
import type { Store } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import type { RejectedRow } from '../bad-row.ts'
import type { ImportOptions } from '../staging/run-import.ts'
import type { StagedCounts } from './record-staging.queries.ts'

export interface RecordsDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
}

export interface RecordsOptions extends ImportOptions {
  /** The brand of new records for which the file names none. */
  readonly brand: string | undefined
  /** The folder of the PDF files that invoices name. */
  readonly files: string | undefined
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
