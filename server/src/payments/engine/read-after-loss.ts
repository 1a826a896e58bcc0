import { setTimeout } from 'node:timers/promises'
import { PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { isLostConnection } from '../../db/lost-connection.ts'
import { ApiError } from '../../kit/api-error.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import { type Attempt, type AttemptKey, findAttempt } from '../attempts/attempt.queries.ts'

/** The pauses before each reading: a database that fails over is back within a second or two. */
const PAUSES_MS = [50, 200, 500, 1_000] as const

/**
 * The attempt as it is stored, after the database was lost while a step of it was to be stored: a commit without an answer may have
 * happened.
 * @throws the error itself when it is another one, or when nothing was claimed; ApiError 409 "is being processed" when nothing can be
 * read: money may have moved, so nobody is told to try again
 */
export const readAfterLoss = async (deps: PaymentsDeps, key: AttemptKey, error: unknown): Promise<Attempt> => {
  if (!isLostConnection(error)) throw error
  deps.log.warn({ err: error, attemptId: key.id }, 'the database was lost during a payment; what it stored is read again')
  for (const pause of PAUSES_MS) {
    await setTimeout(pause)
    const stored = await readIfReachable(deps, key)
    if (stored === 'unreachable') continue
    if (stored === undefined) throw error
    return stored
  }
  throw new ApiError('payment_in_progress', PROCESSING_TEXT, { userMessage: PROCESSING_TEXT, cause: error })
}

/** Reads an attempt; `unreachable` while the database is lost, undefined when there is none. */
const readIfReachable = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt | undefined | 'unreachable'> => {
  try {
    return await transactAsReseller(deps, key.resellerId, (db) => findAttempt(db, key))
  } catch (error) {
    if (!isLostConnection(error)) throw error
    return 'unreachable'
  }
}
