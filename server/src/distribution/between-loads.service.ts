import { setTimeout } from 'node:timers/promises'
import type { Store } from '../db/database.ts'
import { OperatorError } from '../kit/api-error.ts'
import { hasDumpBegun, lockAllUsage } from './distributed-tables.queries.ts'

const LOCK_NOT_AVAILABLE = '55P03'
const POLL_MS = 20

/**
 * Begins a dump while no usage is loaded, undone or merged, and lets them go on once the dump has its snapshots: each node takes its own, and
 * a load between two of them would be in the dump in part.
 * @throws OperatorError when a load does not end within a quarter of an hour
 */
export const dumpBetweenLoads = async (store: Store, dump: () => Promise<void>): Promise<void> => {
  let dumping: Promise<void> = Promise.resolve()
  const over = new AbortController()
  await store.transact(
    { role: 'counterfoil_system' },
    async (db) => {
      await lockAllUsage(db).catch((error: unknown) => {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
        throw new OperatorError('Usage is being loaded for long. No backup was made; run it again when the import is done.', {
          cause: error,
        })
      })
      dumping = dump().finally(() => over.abort())
      dumping.catch(() => undefined) // told below
      await waitForSnapshots(store, over.signal)
    },
    { pool: 'background' },
  )
  await dumping
}

/** Waits until the dump has begun, or is over. Nothing announces it, so the database is asked. */
const waitForSnapshots = async (store: Store, over: AbortSignal): Promise<void> => {
  while (!over.aborted && !(await store.transact({ role: 'owner' }, hasDumpBegun, { pool: 'background' }))) await setTimeout(POLL_MS)
}
