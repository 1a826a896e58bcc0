import { Session } from '../../kit/session.ts'
import type { Booking } from '../../ledger/ledger.ts'

/** The objects of one store. */
export class MonerisSession extends Session {
  /** The session for objects that every store may use. */
  get shared(): MonerisSession {
    return new MonerisSession(this.stores)
  }

  /** Books money, in Canadian cents. */
  override book(booking: Pick<Booking, 'id' | 'reference' | 'amount' | 'status'>): void {
    super.book({ ...booking, currency: 'CAD', method: 'card' })
  }
}
