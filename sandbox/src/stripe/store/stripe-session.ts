import type { StoredObject } from '../../kit/object-store.ts'
import { Session, type SessionStores } from '../../kit/session.ts'
import type { Booking } from '../../ledger/ledger.ts'
import { notFound } from '../api/stripe-error.ts'
import { toIsoMinor } from '../objects/currencies.ts'

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

/** How error messages name a kind of object, where that differs from the kind. */
const NOUNS: Readonly<Record<string, string>> = {
  payment_method: 'PaymentMethod',
  'checkout.session': 'checkout.session',
  webhook_endpoint: 'webhook endpoint',
  balance_transaction: 'balance transaction',
}

/** One account's objects during one request. */
export class StripeSession extends Session<PendingEvent> {
  readonly context: SessionContext

  constructor(stores: SessionStores, context: SessionContext) {
    super(stores, context.account)
    this.context = context
  }

  /** The current time in whole seconds. */
  override get now(): number {
    return Math.floor(super.now / 1000)
  }

  /** @throws StripeError when the account has no such object */
  get<Stored extends StoredObject>(kind: Stored['object'], id: string, param?: string): Stored {
    const object = this.find<Stored>(kind, id)
    if (object === undefined) throw notFound(NOUNS[kind] ?? kind, id, param ?? (kind === 'payment_intent' ? 'intent' : 'id'))
    return object
  }

  /** Books an amount as Stripe writes it, and its currency in lower case. */
  override book({ amount, currency, ...booking }: Omit<Booking, 'provider'>): void {
    super.book({ ...booking, amount: toIsoMinor(amount, currency), currency: currency.toUpperCase() })
  }
}
