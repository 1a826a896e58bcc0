import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'

/** Something that happened and becomes a webhook event. */
export interface PendingEvent {
  /** The event type of the signed style. */
  readonly type: string
  readonly merchantId: string
  /** The `data` of the signed style. */
  readonly data: object
  /** The body of the unsigned style; undefined when that has no such event. */
  readonly unsignedBody?: object | undefined
}

/** The account and the request that a session works for. */
export interface SessionContext {
  /** The user name. */
  readonly account: string
  /** `http://host/nexio` as the caller addressed it. */
  readonly baseUrl: string
}

export interface SessionStores {
  readonly objects: ObjectStore
  readonly ledger: Ledger
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** Reads and writes one account's objects during one request, and collects the events to send afterwards. */
export class NexioSession {
  readonly context: SessionContext
  readonly #stores: SessionStores
  readonly #pendingEvents: PendingEvent[] = []

  constructor(stores: SessionStores, context: SessionContext) {
    this.#stores = stores
    this.context = context
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
    return this.#stores.objects.find(this.context.account, kind, id) as Stored | undefined
  }

  /** All objects of a kind, newest first. */
  all<Stored extends StoredObject>(kind: Stored['object']): Stored[] {
    return this.#stores.objects.all(this.context.account, kind) as Stored[]
  }

  put<Stored extends StoredObject>(object: Stored): Stored {
    return this.#stores.objects.put(this.context.account, object)
  }

  remove(id: string): void {
    this.#stores.objects.remove(this.context.account, id)
  }

  /** Adds an event to send after the request. */
  emit(event: PendingEvent): void {
    this.#pendingEvents.push(event)
  }

  /** Books money in the sandbox's ledger. */
  book(booking: Omit<Booking, 'provider'>): void {
    this.#stores.ledger.book({ ...booking, provider: 'nexio' })
  }
}
