import { createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { csvLine } from '@counterfoil/contract/kit/csv'
import type { Day } from '@counterfoil/contract/kit/day'
import type { Store } from '../../db/database.ts'
import { exporter } from '../../db/copy-out.ts'
import { OperatorError } from '../../kit/api-error.ts'
import {
  archivePlan,
  closeMonth,
  dropMonth,
  goOnAs,
  heldBy,
  type MonthHeld,
  monthsBefore,
  resellerIds,
  uncountMonth,
} from './usage-archive.queries.ts'
import { USAGE_FIELDS } from './usage-fields.rules.ts'

export interface ArchivedMonth {
  /** YYYY-MM. */
  readonly month: string
  readonly records: number
  /** One for each reseller that has usage in it; none when nothing was to be written. */
  readonly files: readonly string[]
}

const RESELLER = 'counterfoil_reseller'

/** The months of usage before one, and how many records each holds. @param before the first day that stays */
export const oldMonths = async (store: Store, before: Day): Promise<ArchivedMonth[]> => {
  const found: ArchivedMonth[] = []
  for (const month of await store.transact({ role: 'owner' }, (db) => monthsBefore(db, before)))
    found.push(told(month, await heldIn(store, month), []))
  return found
}

/**
 * Removes the months of usage before one, each in a transaction of its own with its counters; whoever reads other months waits for a moment
 * at most. With a folder, each is written there first, as gzipped CSV that `import usage` brings back.
 * @throws OperatorError when a file is in the way, usage of the month comes in meanwhile, or somebody reads usage for minutes on end
 */
export const archiveMonths = async (
  store: Store,
  { before, folder }: { before: Day; folder: string | null },
  tell: (month: ArchivedMonth) => Promise<void>,
): Promise<ArchivedMonth[]> => {
  const done: ArchivedMonth[] = []
  for (const month of await store.transact({ role: 'owner' }, (db) => monthsBefore(db, before))) {
    const seen = await heldIn(store, month)
    const files: string[] = []
    try {
      const written: MonthHeld[] = []
      for (const { resellerId } of folder === null ? [] : seen.filter(({ records }) => records > 0)) {
        const path = join(folder ?? '', `usage-${month.slice(0, 7)}-reseller-${resellerId}.csv.gz`)
        written.push(await writeMonth(store, resellerId, month, path))
        files.push(path)
      }
      await removeMonth(store, month, folder === null ? seen : written)
    } catch (error) {
      // Refused, so the month is still there and may be written anew. After anything else it may be gone: the files stay.
      if (error instanceof OperatorError) for (const path of files) await rm(path, { force: true })
      throw error
    }
    const archived = told(month, seen, files)
    await tell(archived)
    done.push(archived)
  }
  return done
}

const told = (month: Day, held: readonly MonthHeld[], files: readonly string[]): ArchivedMonth => ({
  month: month.slice(0, 7),
  records: held.reduce((sum, { records }) => sum + records, 0),
  files,
})

const heldIn = async (store: Store, month: Day): Promise<MonthHeld[]> => {
  const held: MonthHeld[] = []
  for (const resellerId of await store.transact({ role: 'counterfoil_system' }, resellerIds))
    held.push(await store.transact({ role: RESELLER, resellerId }, (db) => heldBy(db, resellerId, month), 'background'))
  return held
}

/** Writes a reseller's month; the file has its name only when it is whole and on the disk. */
const writeMonth = async (store: Store, resellerId: number, month: Day, path: string): Promise<MonthHeld> => {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new OperatorError(`The file ${path} is there already. Move it away, or name another folder.`)
  let held: MonthHeld | null = null
  const part = `${path}.part`
  try {
    const head = `${csvLine([...USAGE_FIELDS])}\n`
    const { body } = await exporter({ ...store, reading: (read) => read(store) })({ role: RESELLER, resellerId }, head, async (db) => {
      const plan = await archivePlan(db, resellerId, month)
      held = plan.held
      return plan
    })
    await pipeline(body, createGzip(), createWriteStream(part, { mode: 0o600, flush: true }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new OperatorError(`The file ${path} cannot be written (${code}). Nothing of ${month.slice(0, 7)} was removed.`, { cause: error })
  }
  if (held === null) throw new Error('an export was not planned')
  return held
}

const TRIES = 120
const PAUSE_MS = 700

/** The month is removed as it was seen, or not at all. */
const removeMonth = (store: Store, month: Day, seen: readonly MonthHeld[]): Promise<void> =>
  store.transact(
    { role: 'owner' },
    async (db) => {
      await closeMonth(db, month).catch((error: unknown) => {
        if ((error as { code?: string }).code !== '55P03') throw error
        throw new OperatorError(`Usage of ${month.slice(0, 7)} is being loaded; nothing of it was removed. Try again when that is done.`)
      })
      await goOnAs(db, 'counterfoil_system')
      for (const resellerId of await resellerIds(db)) {
        await goOnAs(db, { name: RESELLER, resellerId })
        const now = await heldBy(db, resellerId, month)
        const before = seen.find((held) => held.resellerId === resellerId) ?? { records: 0, newest: 0 }
        if (now.records !== before.records || now.newest !== before.newest)
          throw new OperatorError(
            `Usage of ${month.slice(0, 7)} came in meanwhile; nothing of it was removed. Try again when that is done.`,
          )
        if (now.records > 0) await uncountMonth(db, month)
      }
      await goOnAs(db, null)
      for (let tries = 0; !(await dropMonth(db, month)); tries += 1) {
        if (tries >= TRIES)
          throw new OperatorError(`Usage is being read without a pause; ${month.slice(0, 7)} was not removed. Try again later.`)
        await setTimeout(PAUSE_MS)
      }
    },
    'background',
  )
