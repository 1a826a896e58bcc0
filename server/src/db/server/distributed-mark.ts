import type pg from 'pg'

/**
 * Stands among the migrations of a database whose usage is distributed, or is about to be: programs that know nothing of that do not start
 * on it (docs/decisions/0015).
 */
export const DISTRIBUTED_MARK = 'distributed'

/** How long an answer is believed. Whoever sets the mark waits twice as long before anything is distributed. */
export const MARK_TTL_MS = 5_000

/** Whether the database has the mark. False on a database without a schema. */
export const isMarkedDistributed = async (pool: pg.Pool): Promise<boolean> => {
  try {
    const { rowCount } = await pool.query('select from migration where name = $1', [DISTRIBUTED_MARK])
    return rowCount === 1
  } catch (error) {
    if ((error as { code?: string }).code === '42P01') return false
    throw error
  }
}

/** Makes a question whose answer is believed for MARK_TTL_MS; then it is asked again, and nobody waits for the new answer. */
export const askAgain = (ask: () => Promise<boolean>): (() => Promise<boolean>) => {
  let [known, askedAt]: [Promise<boolean> | null, number] = [null, 0]
  return () => {
    if (known !== null && performance.now() - askedAt < MARK_TTL_MS) return known
    askedAt = performance.now()
    const earlier = known
    const asked = ask()
    known ??= asked
    asked.then(
      () => (known = asked),
      () => (known = earlier),
    )
    return known
  }
}
