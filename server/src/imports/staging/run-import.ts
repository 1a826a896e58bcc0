import { actAsReseller } from '../../db/act-as.ts'
import type { Db, DbRole, Store } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Clock } from '../../kit/clock.ts'
import type { RejectedRow } from '../bad-row.ts'
import { assertNotStopped } from '../progress.ts'
import type { NamedRecord } from '../resellers.queries.ts'
import { beginImport, finishImport, type ImportOrigin } from '../undo/note-import.queries.ts'
import { refuseBadRows, type RowReport } from './row-report.ts'
import { closeStaging, openStaging, renewStaging } from './staging.queries.ts'

/** A file, plain or compressed. Usage and records open it once. */
export interface ImportFile {
  open(): AsyncIterable<Uint8Array>
  /** Length in bytes; null when it is unknown. */
  readonly bytes: number | null
}

export interface ImportOptions {
  /** A name or an id. */
  readonly reseller: string
  /** Import the good rows of a file that also has bad ones. */
  readonly skipBad: boolean
  /** Report the result and store nothing. */
  readonly dryRun?: boolean
  readonly origin?: ImportOrigin
  /** Aborts when the import is to stop: then nothing is stored, unless it was done before. */
  readonly stopped?: AbortSignal
  progress(words: string): void
  /** Receives every bad row, in the order of lines; of FOCUS files none. */
  reject?(row: RejectedRow): Promise<void>
  /** Writes the audit entry, as the last statement of the transaction. */
  audit?(db: Db, resellerId: number, what: string): Promise<void>
}

/** Runs a step of an import in a transaction of its own. */
export type RunStep = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** What differs between the kinds of imports: the steps of one import, which `runImport` runs in this order. */
export interface ImportSteps<Staged extends { readonly rows: number }, Checked extends { readonly reseller: NamedRecord }, Done> {
  /** As `import list` names it. */
  readonly kind: string
  /** Names what this import stages. */
  readonly importId: string
  readonly as: DbRole
  /** Makes further staging tables. */
  open?(db: Db): Promise<void>
  /** Reads the file into the staging tables, and what else needs no lock. @throws OperatorError for a file that cannot be imported */
  stage(runStep: RunStep): Promise<Staged>
  /**
   * Locks out other imports of the reseller, resolves what rows refer to, and marks the bad ones. The transaction that this step begins
   * stores all or nothing.
   */
  check(db: Db, staged: Staged): Promise<Checked>
  /** Counts the rows, and passes bad ones on to `reject`. */
  report(db: Db, staged: Staged): Promise<RowReport>
  /** Stores the good rows; triggers note for undoing what changes. @param noteId the import's entry in the list of imports */
  commit(db: Db, noteId: number, found: { readonly staged: Staged; readonly checked: Checked; readonly report: RowReport }): Promise<Done>
  /** What the audit log says; null where it says nothing. */
  auditText(done: Done, staged: Staged): string | null
}

export interface Imported<Staged, Done> {
  /** By which it is undone; null when nothing was changed, and after a dry run. */
  readonly importId: number | null
  readonly reseller: NamedRecord
  readonly staged: Staged
  readonly report: RowReport
  readonly done: Done
}

/** Thrown to roll back the transaction of a dry run. */
class DryRunRollback extends Error {}

/**
 * Imports a file: stages its rows, then checks, reports and commits them in one transaction, notes that for an undo, and clears the staging
 * whatever the outcome.
 * @throws BadRows when rows are bad and `skipBad` is off; OperatorError for any other problem. Then nothing is stored
 */
export const runImport = async <Staged extends { readonly rows: number }, Checked extends { readonly reseller: NamedRecord }, Done>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  steps: ImportSteps<Staged, Checked, Done>,
  options: ImportOptions,
): Promise<Imported<Staged, Done>> => {
  const { kind, importId, as } = steps
  const transact: RunStep = (work) => store.transact(as, work, { pool: 'background' })
  const runStep: RunStep = (work) =>
    transact(async (db) => {
      if (!(await renewStaging(db, importId)))
        throw new OperatorError(
          'Another import took this one for dead, because it stood still for hours. Nothing was imported; run it again.',
        )
      return work(db)
    })
  let result: Imported<Staged, Done> | undefined
  await transact(async (db) => {
    await openStaging(db, importId)
    await steps.open?.(db)
  })
  try {
    const staged = await steps.stage(runStep)
    if (staged.rows === 0) throw new OperatorError('The file holds no rows; there is nothing to import.')
    return await runStep(async (db) => {
      const checked = await steps.check(db, staged)
      const { reseller } = checked
      const report = await steps.report(db, staged)
      refuseBadRows(report, options.skipBad)
      const noteId = await beginImport(db, { resellerId: reseller.id, kind, now: clock(), origin: options.origin, rows: staged.rows })
      const done = await steps.commit(db, noteId, { staged, checked, report })
      await actAsReseller(db, reseller.id) // FOCUS begins as the system, because the reseller may be new
      const hasChanges = await finishImport(db, noteId)
      const auditText = steps.auditText(done, staged)
      if (auditText !== null) await options.audit?.(db, reseller.id, auditText)
      assertNotStopped(options.stopped)
      result = { importId: hasChanges && options.dryRun !== true ? noteId : null, reseller, staged, report, done }
      if (options.dryRun === true) throw new DryRunRollback()
      return result
    }).catch((error: unknown) => {
      if (error instanceof DryRunRollback && result !== undefined) return result
      throw toOperatorError(error, kind)
    })
  } finally {
    // Report the outcome of the import. Rows that cannot be removed now are removed by a later import.
    await transact((db) => closeStaging(db, importId)).catch(() => undefined)
  }
}

/** The error of a concurrent write or another import of the reseller as an OperatorError; every other one as it is. */
const toOperatorError = (error: unknown, kind: string): unknown => {
  const code = (error as { code?: string }).code ?? ''
  if (code === '23505' || code === '23514' || code === '40P01')
    return new OperatorError('Something else wrote the same records at the same time. Nothing was imported; run it again.', {
      cause: error,
    })
  if (code === '55P03')
    return new OperatorError(
      `Another import${kind === 'focus' ? '' : ' of this reseller'} is running. Nothing was imported; run it again.`,
      {
        cause: error,
      },
    )
  return error
}
