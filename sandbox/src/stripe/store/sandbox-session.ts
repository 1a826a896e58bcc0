import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { Archive, Kept } from './object-store.ts'
import { missing } from '../api/stripe-error.ts'

/** What happened to an object, to be told to whoever listens. */
export interface Happening {
  readonly type: string
  /** The object as it stood then. */
  readonly object: Kept
  readonly before?: object
}

/** For which account, from where, and at whose call something is done. */
export interface Setting {
  readonly account: string
  /** `http://host/stripe`, as the caller reached it. */
  readonly base: string
  readonly requestId: string | null
  readonly idempotencyKey: string | null
  /** The version whose rules the caller expects. */
  readonly version: string
}

export interface Books {
  readonly archive: Archive
  readonly ledger: Ledger
  /** The present in milliseconds. */
  readonly clock: () => number
}

/** What is called an object in the answers' words, by the name of its kind. */
const NOUNS: Readonly<Record<string, string>> = {
  payment_method: 'PaymentMethod',
  'checkout.session': 'checkout.session',
  webhook_endpoint: 'webhook endpoint',
  balance_transaction: 'balance transaction',
}

/** One piece of work on one account: what it reads and keeps, and what it has to tell when it is done. */
export class Work {
  readonly setting: Setting
  readonly #books: Books
  readonly #happenings: Happening[] = []

  constructor(books: Books, setting: Setting) {
    this.#books = books
    this.setting = setting
  }

  /** Now, in whole seconds. */
  get now(): number {
    return Math.floor(this.#books.clock() / 1000)
  }

  /** What is to be told, in the order in which it happened. */
  get happenings(): readonly Happening[] {
    return this.#happenings
  }

  find<Thing extends Kept>(kind: Thing['object'], id: string): Thing | undefined {
    return this.#books.archive.find(this.setting.account, kind, id) as Thing | undefined
  }

  /** @throws StripeError when there is no such thing in this account */
  get<Thing extends Kept>(kind: Thing['object'], id: string, param?: string): Thing {
    const thing = this.find<Thing>(kind, id)
    if (thing === undefined) throw missing(NOUNS[kind] ?? kind, id, param ?? (kind === 'payment_intent' ? 'intent' : 'id'))
    return thing
  }

  /** All of a kind, newest first. */
  all<Thing extends Kept>(kind: Thing['object']): Thing[] {
    return this.#books.archive.all(this.setting.account, kind) as Thing[]
  }

  put<Thing extends Kept>(thing: Thing): Thing {
    return this.#books.archive.put(this.setting.account, thing)
  }

  remove(id: string): void {
    this.#books.archive.remove(this.setting.account, id)
  }

  tell(type: string, object: Kept, before?: object): void {
    this.#happenings.push({ type, object, ...(before === undefined ? {} : { before }) })
  }

  /** Books money in the sandbox's ledger. */
  book(booking: Omit<Booking, 'provider'>): void {
    this.#books.ledger.book({ ...booking, provider: 'stripe', currency: booking.currency.toUpperCase() })
  }
}
