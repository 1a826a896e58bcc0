import { Session } from '../../kit/session.ts'
import type { Booking } from '../../ledger/ledger.ts'

const FIRST_NUMBER = 84_000_000

/** The objects of one terminal. */
export class IPpaySession extends Session {
  override nextNumber(): number {
    return super.nextNumber(FIRST_NUMBER)
  }

  /** Books money, in US cents. */
  override book(booking: Pick<Booking, 'id' | 'reference' | 'amount' | 'status' | 'method'>): void {
    super.book({ ...booking, currency: 'USD' })
  }
}
