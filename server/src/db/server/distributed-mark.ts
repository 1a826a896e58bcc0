import type pg from 'pg'

/**
 * Stands among the migrations of a database whose usage is distributed, or is about to be: programs that know nothing of that do not start
 * on it (docs/decisions/0015).
 */
export const DISTRIBUTED_MARK = 'distributed'

/** How long an answer is believed without asking again, and how long at most. Whoever sets the mark waits longer before anything moves. */
const ASK_AGAIN_MS = 5_000
export const MARK_TTL_MS = 10_000

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

/**
 * Makes a question whose answer is believed for ASK_AGAIN_MS; then it is asked again, and who asks meanwhile gets the earlier answer, unless
 * that is older than MARK_TTL_MS. @throws where there is no such answer, and asking fails
 */
export const askAgain = (ask: () => Promise<boolean>): (() => Promise<boolean>) => {
  let known: { readonly answer: boolean; readonly askedAt: number } | null = null
  let asking: Promise<boolean> | null = null
  const askNow = async (): Promise<boolean> => {
    const askedAt = performance.now()
    try {
      const answer = await ask()
      known = { answer, askedAt }
      return answer
    } finally {
      asking = null
    }
  }
  return async () => {
    const age = known === null ? Number.POSITIVE_INFINITY : performance.now() - known.askedAt
    if (known !== null && age < ASK_AGAIN_MS) return known.answer
    asking ??= askNow()
    if (known === null || age > MARK_TTL_MS) return asking
    asking.catch(() => undefined) // the next one asks again
    return known.answer
  }
}
