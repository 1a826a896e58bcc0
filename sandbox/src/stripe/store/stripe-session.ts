import { toIsoMinor } from '../objects/currencies.ts'
import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'
import { notFound } from '../api/stripe-error.ts'

/** A change of an object that becomes a webhook event. */
export interface PendingEvent {
  readonly type: string
  /** The object after the change. */
  readonly object: StoredObject
  /** The previous values of the changed fields. */
  readonly previous?: object
}

/** The account and the request that a session works for. */
export interface SessionContext {
  readonly account: string
  /** `http://host/stripe` as the caller addressed it. */
  readonly baseUrl: string
  readonly requestId: string | null
  readonly idempotencyKey: string | null
  /** The API version that the caller expects. */
  readonly apiVersion: string
}

export interface SessionStores {
  readonly objects: ObjectStore
  readonly ledger: Ledger
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** How error messages name a kind of object, where that differs from the kind. */
const NOUNS: Readonly<Record<string, string>> = {
  payment_method: 'PaymentMethod',
  'checkout.session': 'checkout.session',
  webhook_endpoint: 'webhook endpoint',
  balance_transaction: 'balance transaction',
}

/** Reads and writes one account's objects during one request, and collects the events to send afterwards. */
export class StripeSession {
  readonly context: SessionContext
  readonly #stores: SessionStores
  readonly #pendingEvents: PendingEvent[] = []

  constructor(stores: SessionStores, context: SessionContext) {
    this.#stores = stores
    this.context = context
  }

  /** The current time in whole seconds. */
  get now(): number {
    return Math.floor(this.#stores.clock() / 1000)
  }

  /** The events to send, in the order in which they happened. */
  get pendingEvents(): readonly PendingEvent[] {
    return this.#pendingEvents
  }

  find<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored | undefined {
    return this.#stores.objects.find(this.context.account, kind, id) as Stored | undefined
  }

  /** @throws StripeError when the account has no such object */
  get<Stored extends StoredObject>(kind: Stored['object'], id: string, param?: string): Stored {
    const object = this.find<Stored>(kind, id)
    if (object === undefined) throw notFound(NOUNS[kind] ?? kind, id, param ?? (kind === 'payment_intent' ? 'intent' : 'id'))
    return object
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
  emit(type: string, object: StoredObject, previous?: object): void {
    this.#pendingEvents.push({ type, object, ...(previous === undefined ? {} : { previous }) })
  }

  /** Books money in the sandbox's ledger: an amount as Stripe writes it, and its currency in lower case. */
  book({ amount, currency, ...booking }: Omit<Booking, 'provider'>): void {
    this.#stores.ledger.book({ ...booking, provider: 'stripe', amount: toIsoMinor(amount, currency), currency: currency.toUpperCase() })
  }
}
