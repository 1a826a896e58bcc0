import type { Store } from '../../db/database.ts'
import type { Clock } from '../../kit/clock.ts'
import type { RejectedRow } from '../bad-row.ts'
import { existingReseller } from '../find-reseller.ts'
import { type ImportFile, runImport } from '../staging/run-import.ts'
import type { UnusualUsage } from '../unusual-usage.rules.ts'
import { type UsageOptions, usageSteps } from './load-usage.ts'

export interface UsageDeps {
  readonly store: Store
  readonly clock: Clock
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

/**
 * Imports usage records for the customers of a reseller; customers, services, record types and service items must exist. The file is read
 * once, in bounded memory, into a staging table; one transaction inserts the usage records. The counters follow by deltas, which
 * `mergeUsage` merges later. A record is identified by customer, instant and external id: importing a file again adds only what is missing.
 * A record that comes with other values is bad, unless `correct` is on.
 * @throws BadRows when rows are bad and `skipBad` is off; OperatorError for any other problem. Then nothing is stored
 */
export const importUsage = async (deps: UsageDeps, source: ImportFile, options: UsageOptions): Promise<UsageImport> => {
  const { store, clock } = deps
  const reseller = await existingReseller(store, options.reseller)
  const startedAt = performance.now()
  const steps = usageSteps({ store, reseller, source, now: clock(), options })
  const { importId, staged, report, done } = await runImport(deps, steps, options)
  const seconds = (performance.now() - startedAt) / 1_000
  const { repeatedWithOtherValues = 0 } = report
  const rowsPerSecond = Math.round(staged.rows / Math.max(seconds, 0.001))
  return { importId, ...staged, ...report, ...done, repeatedWithOtherValues, seconds, rowsPerSecond, reseller }
}
