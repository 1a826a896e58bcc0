import { lookUpAttempt } from './look-up.ts'
import type { PaymentsDeps } from '../payments-deps.ts'
import { leaseDueAttempt } from './sweep.queries.ts'

/**
 * Looks up every attempt that is due, of all resellers, until none is left: unanswered charges, unconfirmed payments, pending debits. A
 * failure is logged and passed over. May run concurrently.
 * @returns how many were looked up
 */
export const sweepAttempts = async (deps: PaymentsDeps, stopping?: AbortSignal): Promise<number> => {
  for (let count = 0; ; count += 1) {
    if (stopping?.aborted === true) return count
    const key = await deps.store.transact({ role: 'counterfoil_system' }, (db) => leaseDueAttempt(db, deps.clock()), { pool: 'background' })
    if (key === undefined) return count
    try {
      await lookUpAttempt(deps, key, 'sweep')
    } catch (error) {
      deps.log.error({ err: error, attemptId: key.id }, 'a payment could not be looked up; it is tried again')
    }
  }
}
