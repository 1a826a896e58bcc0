import { lookUp } from './look-up.ts'
import type { PaymentsHouse } from '../payments-deps.ts'
import { takeDueAttempt } from './sweep.queries.ts'

/**
 * Looks every attempt up whose time has come: what was sent and never answered, what waits for its payer, debits on their way.
 * Several may do this at the same time.
 * @returns how many were looked up
 */
export const sweepAttempts = async (house: PaymentsHouse, stopping?: AbortSignal): Promise<number> => {
  for (let looked = 0; ; looked += 1) {
    if (stopping?.aborted === true) return looked
    const due = await house.store.transact({ role: 'counterfoil_system' }, (db) => takeDueAttempt(db, house.clock()), 'background')
    if (due === undefined) return looked
    try {
      await lookUp(house, due, 'sweep')
    } catch (error) {
      house.log.error({ err: error, attemptId: due.id }, 'a payment could not be looked up; it is tried again')
    }
  }
}
