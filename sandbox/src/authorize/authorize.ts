import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SettlementOutcome, Settlements } from '../ledger/settlements.ts'
import { ObjectStore } from '../kit/object-store.ts'
import { IdSequence } from './store/id-sequence.ts'
import { AuthorizeSession, type SessionStores } from './store/authorize-session.ts'
import { settleCards, settleTransaction } from './transactions/settlement.ts'
import type { Transaction } from './transactions/transaction.ts'
import { type DefaultWebhook, WebhookSender } from './webhooks/webhook-sender.ts'

interface AuthorizeOptions {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** Receives every notification of every account. */
  readonly defaultWebhook?: DefaultWebhook | undefined
  /** The current time in milliseconds; the system clock by default. */
  readonly clock?: () => number
}

/** A batch that `settleBatch` made. */
export interface SettledBatch {
  readonly loginId: string
  readonly batchId: string
}

/** The kinds of object that a reset keeps. */
const PERSISTENT_KINDS = ['customer_profile', 'payment_profile', 'webhook_endpoint', 'last_id']

/** The sandbox's Authorize.net: its stored objects and the webhook events it sends. */
export class Authorize {
  readonly stores: SessionStores
  readonly faults: Faults
  readonly webhooks: WebhookSender
  readonly #objects: ObjectStore
  readonly #ledger: Ledger

  constructor({ dir, ledger, faults, settlements, defaultWebhook, clock = Date.now }: AuthorizeOptions) {
    this.#objects = new ObjectStore(dir, 'authorize')
    this.#ledger = ledger
    this.stores = { objects: this.#objects, ledger, clock, ids: new IdSequence(this.#objects) }
    this.faults = faults
    this.webhooks = new WebhookSender({ objects: this.#objects, faults, clock, defaultWebhook })
    settlements.register('authorize', (id, outcome) => this.#settle(id, outcome))
    this.webhooks.resume()
  }

  /** A session that does not belong to an API request. */
  openSession(account: string): AuthorizeSession {
    return new AuthorizeSession(this.stores, account)
  }

  /** Settles all pending card payments and refunds, of one account or of every account. */
  settleBatch(loginId?: string): SettledBatch[] {
    const accounts = loginId === undefined ? this.#objects.accounts() : [loginId]
    return accounts.flatMap((account) => {
      const batch = settleCards(this.openSession(account))
      return batch === undefined ? [] : [{ loginId: account, batchId: batch.id }]
    })
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
      const transaction = session.find<Transaction>('transaction', id)
      if (transaction === undefined) continue
      if (!settleTransaction(session, transaction, outcome)) return undefined
      const batch = this.webhooks.prepare(session)
      await this.webhooks.beforeResponse(batch)
      await this.webhooks.afterResponse(batch)
      return this.#ledger.list().find((entry) => entry.provider === 'authorize' && entry.id === id)
    }
    return undefined
  }
}
