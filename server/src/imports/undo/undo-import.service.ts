import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import { countReferences, formatReferences } from '../../db/references.queries.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { requestCancelOfChanged } from '../../payments/engine/sweep.queries.ts'
import { countRecords, countUsage, deleteUsage, recordsInRange, type UsageRange } from '../../usage-store/count-usage.queries.ts'
import { notedRecords } from '../usage/usage-corrections.queries.ts'
import { UNDO_LOGGED_TABLES, type UndoLoggedTable } from './undo-logged-tables.data.ts'
import {
  addedRows,
  countPaidInvoices,
  countReportsSince,
  deleteAdded,
  deleteUnsubmittedIntents,
  findAddedUsage,
  findCorrectingImport,
  findEdited,
  findImport,
  findLaterImport,
  lockImports,
  markUndone,
  restoreChanged,
  restoreCorrectedUsage,
  type StoredImport,
  UNDO_DAYS,
} from './undo-import.queries.ts'

export interface UndoDeps {
  readonly store: Store
  readonly clock: Clock
}

export interface UndoneImport {
  readonly id: number
  readonly kind: string
  readonly resellerId: number
  /** What the import added and something else uses by now, which therefore stays; as in "1 services". */
  readonly kept: readonly string[]
  readonly usageRecords: number
}

const DAY_MS = 86_400_000

/**
 * Undoes an import, in one transaction: what it added goes, what it changed or deleted is as before.
 * @param audit writes the audit entry, as the last statement of the transaction
 * @throws OperatorError when there is no such import, it is final, or something depends on it
 */
export const undoImport = async (
  { store, clock }: UndoDeps,
  id: number,
  audit: (db: Db, undone: UndoneImport) => Promise<void>,
): Promise<UndoneImport> => {
  const known = await requireImport(store, id)
  const isDistributed = await store.isDistributed()
  return store
    .transact(
      { role: 'counterfoil_reseller', resellerId: known.resellerId },
      async (db) => {
        const stored = await lockImports(db, known)
        assertUndoable(stored ?? known, clock())
        const usage = await findAddedUsage(db, id)
        await assertNothingDependsOn(db, stored ?? known, usage)
        const undone = { id, kind: known.kind, resellerId: known.resellerId, usageRecords: known.usageRecords }
        const kept = await undoChanges(db, known, usage, isDistributed)
        await requestCancelOfChanged(db, clock())
        await markUndone(db, id, clock())
        await audit(db, { ...undone, kept })
        return { ...undone, kept }
      },
      { pool: 'background' },
    )
    .catch((error: unknown) => {
      const { code, constraint } = error as { code?: string; constraint?: string }
      if (code === '23514' && constraint === 'invoice_debt')
        throw new OperatorError(
          `Nothing was undone: before import ${id}, an invoice had a debt that cannot be. Import the right invoices over it instead.`,
          { cause: error },
        )
      if (code !== '23503') throw error
      throw new OperatorError(`Nothing was undone: something depends on import ${id} since a moment. Try again.`, { cause: error })
    })
}

/** Finds an import by its id, also one that was undone. @throws OperatorError when there is none */
export const requireImport = async (store: Store, id: number): Promise<StoredImport> => {
  const known = await store.transact({ role: 'counterfoil_system' }, (db) => findImport(db, id))
  if (known === undefined)
    throw new OperatorError(`There is no import ${id}; import list shows them. Imports of earlier versions are final.`)
  return known
}

/** @throws OperatorError when the import was undone already, or is older than `UNDO_DAYS` */
const assertUndoable = ({ id, importedAt, undoneAt }: StoredImport, now: Date): void => {
  if (undoneAt !== null) throw new OperatorError(`Import ${id} was undone on ${undoneAt.toISOString().slice(0, 10)} already.`)
  if (now.getTime() - importedAt.getTime() > UNDO_DAYS * DAY_MS)
    throw new OperatorError(
      `Import ${id} is final: it is more than ${UNDO_DAYS} days old, and what was there before it is no longer known.`,
    )
}

/** The error of an import that cannot be undone, with the reason as a sentence. */
const undoError = (reason: string): OperatorError => new OperatorError(`Nothing was undone: ${reason}`)

/** @throws OperatorError when payments, later changes, corrected or archived usage, or saved reports depend on the import */
const assertNothingDependsOn = async (db: Db, stored: StoredImport, added: UsageRange | null): Promise<void> => {
  const usage = added === null ? null : recordsInRange(stored.resellerId, added)
  const { id } = stored
  const paid = await countPaidInvoices(db, id)
  if (paid > 0) throw undoError(`${paid.toLocaleString('en')} of its invoices have payments. invoice show lists them.`)
  for (const logged of UNDO_LOGGED_TABLES) {
    const { count, key } = await findEdited(db, id, logged)
    if (key === null) continue
    const laterImport = await findLaterImport(db, id, logged, key)
    const by = laterImport === null ? 'since' : `since, by import ${laterImport} among others; undo that first`
    throw undoError(`${count.toLocaleString('en')} of its ${logged.words} were changed ${by}.`)
  }
  const present = usage === null ? 0 : await countRecords(db, usage)
  const correctedBy = present === stored.usageRecords ? null : await findCorrectingImport(db, id)
  if (correctedBy !== null) throw undoError(`import ${correctedBy} corrected usage records of it; undo that first.`)
  if (present !== stored.usageRecords)
    throw undoError(
      `import ${id} is final, because ${(stored.usageRecords - present).toLocaleString('en')} of its usage records are gone: their months were archived.`,
    )
  const reports = await countReportsSince(db, stored, usage)
  if (reports > 0)
    throw undoError(`${reports.toLocaleString('en')} saved reports of its customers were made since. They expire by themselves.`)
}

/**
 * Deletes what an import added, and restores what it changed or deleted, in the caller's transaction.
 * @returns what stays because something else uses it
 * @throws OperatorError where something depends on an unshared row
 */
const undoChanges = async (db: Db, stored: StoredImport, usage: UsageRange | null, isDistributed: boolean): Promise<string[]> => {
  const { id, kind } = stored
  const kept: string[] = []
  if (usage !== null) await undoUsage(db, stored, usage)
  await deleteUnsubmittedIntents(db, id)
  const isKeptWhereUsed = (logged: UndoLoggedTable): boolean => kind === 'focus' && logged.isShared === true
  for (const logged of UNDO_LOGGED_TABLES) {
    const references = isKeptWhereUsed(logged) ? [] : await countReferences(db, logged.table, addedRows(id, logged))
    if (references.length > 0) throw undoError(`${formatReferences(references)} depend on its ${logged.words}.`)
    const count = await deleteAdded(db, id, logged, isDistributed)
    if (count > 0) kept.push(`${count.toLocaleString('en')} ${logged.words}`)
  }
  for (const logged of UNDO_LOGGED_TABLES.toReversed()) await restoreChanged(db, id, logged)
  return kept
}

/** Deletes the usage records that an import added, and inserts again those that it removed to correct them; counts both. */
const undoUsage = async (db: Db, { id, resellerId }: StoredImport, range: UsageRange): Promise<void> => {
  const added = recordsInRange(resellerId, range)
  await countUsage(db, resellerId, added, -1)
  await deleteUsage(db, added)
  const removed = await restoreCorrectedUsage(db, id)
  if (removed === 0) return
  const restored = notedRecords(id, range)
  const count = await countRecords(db, restored)
  if (count !== removed) throw new Error(`import ${id} corrected ${removed} usage records, of which ${count} could be restored`)
  await countUsage(db, resellerId, restored, 1)
}
