import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'

/** Something that happened and becomes a webhook event. */
export interface PendingEvent {
  readonly type: string
  readonly metadata: object
  readonly data: object
}

interface SessionContext {
  /** The application id. */
  readonly account: string
  /** `test` or `live`: each has payers and payments of its own. */
  readonly mode: string
}

export interface SessionStores {
  readonly objects: ObjectStore
  readonly ledger: Ledger
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** Reads and writes one account's objects during one request, and collects the events to send afterwards. */
export class PinchSession {
  readonly context: SessionContext
  readonly #stores: SessionStores
  readonly #pendingEvents: PendingEvent[] = []

  constructor(stores: SessionStores, context: SessionContext) {
    this.#stores = stores
    this.context = context
  }

  /** The session of an account as the store names it. */
  static ofKey(stores: SessionStores, key: string): PinchSession {
    const [mode = '', ...account] = key.split(' ')
    return new PinchSession(stores, { mode, account: account.join(' ') })
  }

  /** The account's name in the store. */
  get key(): string {
    return `${this.context.mode} ${this.context.account}`
  }

  /** The current time in milliseconds. */
  get now(): number {
    return this.#stores.clock()
  }

  /** What the account is paid in: accounts whose id contains `nzd` are of New Zealand. */
  get currency(): string {
    return this.context.account.includes('nzd') ? 'NZD' : 'AUD'
  }

  /** The events to send, in the order in which they happened; each is returned once. */
  takeEvents(): readonly PendingEvent[] {
    return this.#pendingEvents.splice(0)
  }

  find<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored | undefined {
    return this.#stores.objects.find(this.key, kind, id) as Stored | undefined
  }

  /** All objects of a kind, newest first. */
  all<Stored extends StoredObject>(kind: Stored['object']): Stored[] {
    return this.#stores.objects.all(this.key, kind) as Stored[]
  }

  put<Stored extends StoredObject>(object: Stored): Stored {
    return this.#stores.objects.put(this.key, object)
  }

  remove(id: string): void {
    this.#stores.objects.remove(this.key, id)
  }

  /** Adds an event to send after the request. */
  emit(event: PendingEvent): void {
    this.#pendingEvents.push(event)
  }

  /** Books money in the sandbox's ledger. */
  book(booking: Omit<Booking, 'provider'>): void {
    this.#stores.ledger.book({ ...booking, provider: 'pinch' })
  }
}
