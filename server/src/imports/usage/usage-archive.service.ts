import { constants, createWriteStream } from 'node:fs'
import { access, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { csvLine } from '@counterfoil/contract/kit/csv'
import type { Day } from '@counterfoil/contract/kit/day'
import type { Db, Store } from '../../db/database.ts'
import { actAsOwner, actAsReseller, actAsSystem } from '../../db/act-as.ts'
import { createExporter } from '../../db/copy-out.ts'
import { OperatorError } from '../../kit/api-error.ts'
import {
  archivePlan,
  lockUsage,
  dropMonth,
  countMonth,
  type MonthUsage,
  monthsBefore,
  countChangesOf,
  countRecordsOf,
  openCounters,
  deleteMonthCounters,
} from './usage-archive.queries.ts'
import { listResellerIds } from '../../usage-store/resellers.queries.ts'
import { USAGE_FIELDS } from './usage-fields.rules.ts'
import { writeErrorText } from '../../kit/system-errors.ts'

export interface ArchivedMonth {
  /** YYYY-MM. */
  readonly month: string
  readonly records: number
  /** One for each reseller with usage in the month; empty when no folder was given. */
  readonly files: readonly string[]
}

const RESELLER = 'counterfoil_reseller'

/** The months before a day, and the folder into which they are written; null for none. */
interface ArchivePlan {
  /** The first day that stays. */
  readonly before: Day
  readonly folder: string | null
}

/**
 * Lists the months of usage before a day, with their record counts and the files that they would be written to. Nothing is written or
 * removed.
 * @throws OperatorError when the files could not be written
 */
export const findOldMonths = async (store: Store, { before, folder }: ArchivePlan): Promise<ArchivedMonth[]> => {
  if (folder !== null) await assertWritable(folder)
  const found: ArchivedMonth[] = []
  for (const month of await store.transact({ role: 'owner' }, (db) => monthsBefore(db, before))) {
    const usages = await countMonthByReseller(store, month)
    const files = folder === null ? [] : usages.filter(({ records }) => records > 0).map((usage) => fileOf(folder, month, usage))
    for (const file of files) await assertFree(file)
    found.push(toArchivedMonth(month, usages, files))
  }
  return found
}

/** The path of the archive file of a reseller's month. */
const fileOf = (folder: string, month: Day, { resellerId }: MonthUsage): string =>
  join(folder, `usage-${month.slice(0, 7)}-reseller-${resellerId}.csv.gz`)

/** @throws OperatorError when there is no such folder, or this user may not write into it */
const assertWritable = async (folder: string): Promise<void> => {
  try {
    if (!(await stat(folder)).isDirectory()) throw new OperatorError(`${folder} is no folder.`)
    await access(folder, constants.W_OK)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`Nothing can be written into the folder ${folder}: ${writeErrorText(error)}.`, { cause: error })
  }
}

/** @throws OperatorError when a file has this path already */
const assertFree = async (path: string): Promise<void> => {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new OperatorError(`The file ${path} is there already. Move it away, or name another folder.`)
}

/**
 * Removes the months of usage before a day from the database, each with its counters in a transaction of its own; readers of other months
 * wait only briefly. With a folder, each month is first written there as gzipped CSV that `import usage` can read.
 * @throws OperatorError when a file exists, the month changes meanwhile, or usage is read for minutes without a pause
 */
export const archiveMonths = async (
  store: Store,
  plan: ArchivePlan,
  report: (month: ArchivedMonth) => Promise<void>,
): Promise<ArchivedMonth[]> => {
  const { before, folder } = plan
  if (folder !== null) await findOldMonths(store, plan)
  const archivedMonths: ArchivedMonth[] = []
  for (const month of await store.transact({ role: 'owner' }, (db) => monthsBefore(db, before))) {
    const usages = await countMonthByReseller(store, month)
    const files: string[] = []
    try {
      const expected: MonthUsage[] = []
      for (const usage of usages) {
        if (folder === null || usage.records === 0) {
          expected.push(usage)
          continue
        }
        const path = fileOf(folder, month, usage)
        expected.push(await writeMonth(store, usage.resellerId, month, path))
        files.push(path)
      }
      await removeMonth(store, month, expected)
    } catch (error) {
      // After a refusal the month still exists, so its files can go. After any other error it may be gone: keep the files.
      if (error instanceof OperatorError) for (const path of files) await rm(path, { force: true })
      throw error
    }
    const archived = toArchivedMonth(month, usages, files)
    await report(archived)
    archivedMonths.push(archived)
  }
  return archivedMonths
}

/** The month with the records of all resellers summed up. */
const toArchivedMonth = (month: Day, usages: readonly MonthUsage[], files: readonly string[]): ArchivedMonth => ({
  month: month.slice(0, 7),
  records: usages.reduce((sum, { records }) => sum + records, 0),
  files,
})

/** Counts the records of the month of every reseller, those without any too. */
const countMonthByReseller = async (store: Store, month: Day): Promise<MonthUsage[]> => {
  const usages: MonthUsage[] = []
  for (const resellerId of await store.transact({ role: 'counterfoil_system' }, listResellerIds))
    usages.push(await store.transact({ role: RESELLER, resellerId }, (db) => countMonth(db, resellerId, month), { pool: 'background' }))
  return usages
}

/**
 * Writes a reseller's month to a gzipped CSV file, which gets its name only when it is complete and flushed to disk. Removes nothing.
 * @throws OperatorError
 */
const writeMonth = async (store: Store, resellerId: number, month: Day, path: string): Promise<MonthUsage> => {
  await assertFree(path)
  let usage: MonthUsage | null = null
  const partPath = `${path}.part`
  try {
    const head = `${csvLine([...USAGE_FIELDS])}\n`
    const { body } = await createExporter({ ...store, readFromReplica: (read) => read(store) })(
      { role: RESELLER, resellerId },
      head,
      async (db) => {
        const plan = await archivePlan(db, resellerId, month)
        usage = plan.usage
        return plan
      },
    )
    await pipeline(body, createGzip(), createWriteStream(partPath, { mode: 0o600, flush: true }))
    await rename(partPath, path)
  } catch (error) {
    await rm(partPath, { force: true })
    const { syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new OperatorError(`The file ${path} cannot be written: ${writeErrorText(error)}. Nothing of ${month.slice(0, 7)} was removed.`, {
      cause: error,
    })
  }
  if (usage === null) throw new Error('an export was not planned')
  return usage
}

const MAX_TRIES = 120
const PAUSE_MS = 700

/**
 * Deletes the month's records of all resellers and their counters, unless the month has changed since `expected`. Where usage is
 * distributed, the owner deletes the counters of all resellers together: a transaction reads and writes as one role there.
 * @throws OperatorError then, and while usage is loaded or read without a pause
 */
const removeMonth = async (store: Store, month: Day, expected: readonly MonthUsage[]): Promise<void> => {
  const isDistributed = await store.isDistributed()
  await store.transact(
    { role: 'owner' },
    async (db) => {
      await actAsSystem(db)
      const resellers = await listResellerIds(db)
      for (const resellerId of resellers) {
        const { records, changes } = expected.find((usage) => usage.resellerId === resellerId) ?? { records: 0, changes: 0 }
        await actAsReseller(db, resellerId)
        await lockUsage(db, resellerId).catch((error: unknown) => {
          if ((error as { code?: string }).code !== '55P03') throw error
          throw new OperatorError(`Usage is being loaded; nothing of ${month.slice(0, 7)} was removed. Try again when that is done.`)
        })
        assertSame(await countChangesOf(db, resellerId, month), changes, month)
        if (!isDistributed) await removeCounters(db, month, records)
      }
      await actAsOwner(db)
      if (isDistributed) {
        await openCounters(db)
        await removeCounters(
          db,
          month,
          expected.reduce((sum, { records }) => sum + records, 0),
        )
      }
      for (let tries = 0; !(await dropMonth(db, month)); tries += 1) {
        if (tries >= MAX_TRIES)
          throw new OperatorError(`Usage is being read without a pause; ${month.slice(0, 7)} was not removed. Try again later.`)
        await setTimeout(PAUSE_MS)
      }
      await actAsSystem(db)
      assertSame((await listResellerIds(db)).length, resellers.length, month) // a new one's usage was not written out
    },
    { pool: 'background' },
  )
}

/** Deletes the month's counters, where they count as many records as expected. @throws OperatorError where they do not */
const removeCounters = async (db: Db, month: Day, records: number): Promise<void> => {
  assertSame(await countRecordsOf(db, month), records, month)
  if (records > 0) await deleteMonthCounters(db, month)
}

/** @throws OperatorError where the month is not as it was */
const assertSame = (count: number, expected: number, month: Day): void => {
  if (count !== expected)
    throw new OperatorError(`Usage of ${month.slice(0, 7)} came in meanwhile; nothing of it was removed. Try again when that is done.`)
}
