import { randomInt } from 'node:crypto'
import type { StoredObject } from '../../kit/object-store.ts'
import { Session } from '../../kit/session.ts'
import type { Booking } from '../../ledger/ledger.ts'
import { notFound } from '../api/authorize-error.ts'
import type { Fields } from '../api/fields.ts'

/** A change that becomes a webhook event. */
export interface PendingEvent {
  /** Without the prefix `net.authorize.`. */
  readonly type: string
  readonly payload: Fields
}

/** Ids have eleven digits; the random start keeps those of two sandboxes apart. */
const FIRST_ID = 40_000_000_000
const RANDOM_RANGE = 20_000_000_000

/** The objects of one API login id during one request. */
export class AuthorizeSession extends Session<PendingEvent> {
  /** Whether the account is in Test Mode, in which no money moves. */
  get isTestMode(): boolean {
    return this.account.includes('testmode')
  }

  /** A new id, which no object of any account has. */
  newId(): string {
    return String(this.nextNumber(FIRST_ID + randomInt(RANDOM_RANGE)))
  }

  /** @throws AuthorizeError with E00040 when the account has no such object */
  get<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored {
    const object = this.find<Stored>(kind, id)
    if (object === undefined) throw notFound()
    return object
  }

  /** Books money, in cents of US dollars. */
  override book(booking: Omit<Booking, 'provider' | 'currency'>): void {
    super.book({ ...booking, currency: 'USD' })
  }
}
