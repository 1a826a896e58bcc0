import { lookUp } from './look-up.ts'
import type { PaymentsDeps } from '../payments-deps.ts'
import { takeDueAttempt } from './sweep.queries.ts'

/**
 * Looks every attempt up whose time has come: what was sent and never answered, what waits for its payer, debits on their way.
 * Several may do this at the same time.
 * @returns how many were looked up
 */
export const sweepAttempts = async (deps: PaymentsDeps, stopping?: AbortSignal): Promise<number> => {
  for (let looked = 0; ; looked += 1) {
    if (stopping?.aborted === true) return looked
    const due = await deps.store.transact({ role: 'counterfoil_system' }, (db) => takeDueAttempt(db, deps.clock()), 'background')
    if (due === undefined) return looked
    try {
      await lookUp(deps, due, 'sweep')
    } catch (error) {
      deps.log.error({ err: error, attemptId: due.id }, 'a payment could not be looked up; it is tried again')
    }
  }
}
