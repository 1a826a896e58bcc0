import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SettlementOutcome, Settlements } from '../ledger/settlements.ts'
import { ObjectStore } from '../kit/object-store.ts'
import type { Charge } from './objects/charges.ts'
import { openDispute, returnDebit, winDispute } from './objects/disputes.ts'
import { API_VERSION } from './webhooks/events.ts'
import { IdempotencyKeys } from './api/idempotency.ts'
import { WebhookSender, type DefaultWebhook } from './webhooks/webhook-sender.ts'
import type { PaymentIntent } from './objects/payment-intent.ts'
import { failDebit, succeedPayment } from './objects/payment-processing.ts'
import { type SessionStores, StripeSession } from './store/stripe-session.ts'

interface StripeOptions {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** Receives every event of every account. */
  readonly defaultWebhook?: DefaultWebhook | undefined
  /** The current time in milliseconds; the system clock by default. */
  readonly clock?: () => number
}

/** The kinds of object that a reset keeps. */
const PERSISTENT_KINDS = ['customer', 'payment_method', 'mandate', 'setup_intent', 'checkout.session', 'webhook_endpoint']

/** The sandbox's Stripe: its stored objects and the webhook events it sends. */
export class Stripe {
  readonly stores: SessionStores
  readonly faults: Faults
  readonly idempotencyKeys: IdempotencyKeys
  readonly webhooks: WebhookSender
  readonly #objects: ObjectStore
  readonly #ledger: Ledger

  constructor({ dir, ledger, faults, settlements, defaultWebhook, clock = Date.now }: StripeOptions) {
    this.#objects = new ObjectStore(dir, 'stripe')
    this.#ledger = ledger
    this.stores = { objects: this.#objects, ledger, clock }
    this.faults = faults
    this.idempotencyKeys = new IdempotencyKeys(this.#objects, clock)
    this.webhooks = new WebhookSender({ objects: this.#objects, faults, clock, defaultWebhook })
    settlements.register('stripe', (id, outcome) => this.#settle(id, outcome))
    this.webhooks.resume()
  }

  /** A session that does not belong to an API request. */
  openSession(account: string, baseUrl = ''): StripeSession {
    return new StripeSession(this.stores, { account, baseUrl, requestId: null, idempotencyKey: null, apiVersion: API_VERSION })
  }

  /** The account that has that object. */
  accountOfObject(kind: string, id: string): string | undefined {
    return this.#objects.accounts().find((account) => this.#objects.find(account, kind, id) !== undefined)
  }

  /** Removes all payments and pending webhook events; customers, their methods and webhook endpoints stay. */
  reset(): void {
    this.webhooks.reset()
    this.#objects.keepOnly(PERSISTENT_KINDS)
  }

  /** Cancels pending webhook events. */
  close(): void {
    this.webhooks.reset()
  }

  async #settle(id: string, outcome: SettlementOutcome): Promise<LedgerEntry | undefined> {
    for (const account of this.#objects.accounts()) {
      const session = this.openSession(account)
      const charge =
        session.find<Charge>('charge', id) ??
        session.find<Charge>('charge', session.find<PaymentIntent>('payment_intent', id)?.latest_charge ?? '')
      if (charge === undefined) continue
      if (!settleCharge(session, charge, outcome)) return undefined
      const batch = this.webhooks.prepare(session)
      await this.webhooks.beforeResponse(batch)
      await this.webhooks.afterResponse(batch)
      return this.#ledger.list().find((entry) => entry.provider === 'stripe' && entry.id === charge.id)
    }
    return undefined
  }
}

const settleCharge = (session: StripeSession, charge: Charge, outcome: SettlementOutcome): boolean => {
  if (outcome === 'charged_back') {
    if (charge.status !== 'succeeded' || charge.disputed || charge.refunded) return false
    openDispute(session, charge, 'fraudulent')
    return true
  }
  if (outcome === 'chargeback_won') return winDispute(session, charge)
  const intent = session.get<PaymentIntent>('payment_intent', charge.payment_intent)
  if (outcome === 'returned') {
    if (charge.status !== 'succeeded' || charge.disputed || charge.refunded) return false
    returnDebit(session, charge)
    return true
  }
  if (charge.status !== 'pending') return false
  if (outcome === 'succeeded') succeedPayment(session, intent, charge, charge.amount)
  else failDebit(session, intent, charge)
  return true
}
