import type { Db, DbRole, Store } from '../database.ts'
import { beginMessages } from '../opening.ts'
import { runTransaction } from '../transaction.ts'

/** How much later the server gives up by itself, where it can. */
const SPARE_MS = 1_000

/**
 * Runs work in a transaction as on a distributed database, whose connection is cut when the work takes longer than this: a coordinator that
 * waits for another machine which hangs does not end a statement when it is asked to.
 * @throws Error that says how long it took
 */
export const transactWithin = async <T>(store: Store, as: DbRole, limitMs: number, work: (db: Db) => Promise<T>): Promise<T> => {
  const client = await store.pools.background.connect()
  let isCut = false
  const timer = setTimeout(() => {
    isCut = true
    client.release(true)
  }, limitMs)
  try {
    const begin = [...beginMessages(as, { pool: 'background', isDistributed: true }), `set local statement_timeout = ${limitMs + SPARE_MS}`]
    return await runTransaction(client, begin, work)
  } catch (error) {
    throw isCut ? new Error(`it took longer than ${limitMs / 1_000} seconds`, { cause: error }) : error
  } finally {
    clearTimeout(timer)
    if (!isCut) client.release()
  }
}
