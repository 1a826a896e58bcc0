import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'

/** Something that happened, for the address that its call has registered. */
export interface PendingEvent {
  readonly url: string
  readonly type: 'transaction' | 'token'
  readonly data: object
}

export interface SessionStores {
  readonly objects: ObjectStore
  readonly ledger: Ledger
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** Reads and writes one merchant's objects during one request, and collects the events to send afterwards. */
export class BpointSession {
  /** The merchant number. */
  readonly account: string
  /** How long the answer to this request waits, in milliseconds. */
  delayMs = 0
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

  /** The events to send, in the order in which they happened. */
  get pendingEvents(): readonly PendingEvent[] {
    return this.#pendingEvents
  }

  find<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored | undefined {
    return this.#stores.objects.find(this.account, kind, id) as Stored | undefined
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
  emit(event: PendingEvent): void {
    this.#pendingEvents.push(event)
  }

  /** Books money in the sandbox's ledger. */
  book(booking: Omit<Booking, 'provider'>): void {
    this.#stores.ledger.book({ ...booking, provider: 'bpoint' })
  }
}
