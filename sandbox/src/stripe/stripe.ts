import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { Outcome, Settlements } from '../ledger/settlements.ts'
import { Archive } from './store/object-store.ts'
import type { Charge } from './objects/charges.ts'
import { returnDebit } from './objects/disputes.ts'
import { API_VERSION } from './webhooks/events.ts'
import { IdempotencyKeys } from './api/idempotency.ts'
import { Notices, type StandingListener } from './webhooks/webhook-sender.ts'
import type { PaymentIntent } from './objects/payment-intent.ts'
import { debitFailed, received } from './objects/payment-processing.ts'
import { type Books, Work } from './store/sandbox-session.ts'

interface Means {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** Who is told of everything, in every account. */
  readonly listener?: StandingListener | undefined
  /** The present in milliseconds; the machine's own unless told otherwise. */
  readonly clock?: () => number
}

/** What belongs to the customers and stays when the payments are forgotten. */
const LASTING = ['customer', 'payment_method', 'mandate', 'setup_intent', 'checkout.session', 'webhook_endpoint']

/** The sandbox's Stripe: what it remembers, and what it tells. */
export class Stripe {
  readonly books: Books
  readonly faults: Faults
  readonly keys: IdempotencyKeys
  readonly notices: Notices
  readonly #archive: Archive
  readonly #ledger: Ledger

  constructor({ dir, ledger, faults, settlements, listener, clock = Date.now }: Means) {
    this.#archive = new Archive(dir)
    this.#ledger = ledger
    this.books = { archive: this.#archive, ledger, clock }
    this.faults = faults
    this.keys = new IdempotencyKeys(this.#archive, clock)
    this.notices = new Notices({ archive: this.#archive, faults, clock, standing: listener })
    settlements.register('stripe', (id, outcome) => this.#settle(id, outcome))
    this.notices.resume()
  }

  /** A piece of work that no call of the API asks for. */
  work(account: string, base = ''): Work {
    return new Work(this.books, { account, base, requestId: null, idempotencyKey: null, version: API_VERSION })
  }

  /** The account that has a thing of that kind and id. */
  accountWith(kind: string, id: string): string | undefined {
    return this.#archive.accounts().find((account) => this.#archive.find(account, kind, id) !== undefined)
  }

  /** Forgets every payment and what was still to be told; customers, their methods and the endpoints of notices stay. */
  reset(): void {
    this.notices.reset()
    this.#archive.keepOnly(LASTING)
  }

  /** Stops what waits. */
  close(): void {
    this.notices.reset()
  }

  async #settle(id: string, outcome: Outcome): Promise<LedgerEntry | undefined> {
    for (const account of this.#archive.accounts()) {
      const work = this.work(account)
      const charge =
        work.find<Charge>('charge', id) ?? work.find<Charge>('charge', work.find<PaymentIntent>('payment_intent', id)?.latest_charge ?? '')
      if (charge === undefined) continue
      if (!settled(work, charge, outcome)) return undefined
      const batch = this.notices.prepare(work)
      await this.notices.beforeAnswer(batch)
      await this.notices.afterAnswer(batch)
      return this.#ledger.list().find((entry) => entry.provider === 'stripe' && entry.id === charge.id)
    }
    return undefined
  }
}

const settled = (work: Work, charge: Charge, outcome: Outcome): boolean => {
  const intent = work.get<PaymentIntent>('payment_intent', charge.payment_intent)
  if (outcome === 'returned') {
    if (charge.status !== 'succeeded' || charge.disputed || charge.refunded) return false
    returnDebit(work, charge)
    return true
  }
  if (charge.status !== 'pending') return false
  if (outcome === 'succeeded') received(work, intent, charge, charge.amount)
  else debitFailed(work, intent, charge)
  return true
}
