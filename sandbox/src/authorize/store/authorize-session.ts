import type { Fields } from '../api/fields.ts'
import { notFound } from '../api/authorize-error.ts'
import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'
import type { IdSequence } from './id-sequence.ts'

/** A change that becomes a webhook event. */
export interface PendingEvent {
  /** Without the prefix `net.authorize.`. */
  readonly type: string
  readonly payload: Fields
}

export interface SessionStores {
  readonly objects: ObjectStore
  readonly ledger: Ledger
  readonly ids: IdSequence
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** Reads and writes one account's objects during one request, and collects the events to send afterwards. */
export class AuthorizeSession {
  /** The API login id. */
  readonly account: string
  readonly #stores: SessionStores
  readonly #pendingEvents: PendingEvent[] = []

  constructor(stores: SessionStores, account: string) {
    this.#stores = stores
    this.account = account
  }

  /** The current time in milliseconds. */
  get now(): number {
    return this.#stores.clock()
  }

  /** Whether the account is in Test Mode, in which no money moves. */
  get isTestMode(): boolean {
    return this.account.includes('testmode')
  }

  /** The events to send, in the order in which they happened. */
  get pendingEvents(): readonly PendingEvent[] {
    return this.#pendingEvents
  }

  /** A new id, which no object of any account has. */
  newId(): string {
    return this.#stores.ids.next()
  }

  find<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored | undefined {
    return this.#stores.objects.find(this.account, kind, id) as Stored | undefined
  }

  /** @throws AuthorizeError with E00040 when the account has no such object */
  get<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored {
    const object = this.find<Stored>(kind, id)
    if (object === undefined) throw notFound()
    return object
  }

  /** All objects of a kind, newest first. */
  all<Stored extends StoredObject>(kind: Stored['object']): Stored[] {
    return this.#stores.objects.all(this.account, kind) as Stored[]
  }

  put<Stored extends StoredObject>(object: Stored): Stored {
    return this.#stores.objects.put(this.account, object)
  }

  remove(id: string): void {
    this.#stores.objects.remove(this.account, id)
  }

  /** Adds an event to send after the request. */
  emit(type: string, payload: Fields): void {
    this.#pendingEvents.push({ type, payload })
  }

  /** Books money, in cents of US dollars. */
  book(booking: Omit<Booking, 'provider' | 'currency'>): void {
    this.#stores.ledger.book({ ...booking, provider: 'authorize', currency: 'USD' })
  }
}
