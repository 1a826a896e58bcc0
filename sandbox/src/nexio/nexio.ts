import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SettlementOutcome, Settlements } from '../ledger/settlements.ts'
import { ObjectStore, type StoredObject } from '../kit/object-store.ts'
import type { NexioWebhook } from './nexio.settings.ts'
import { NexioSession, type SessionStores } from './store/nexio-session.ts'
import { findPayment, settleCards, settlePayment } from './transactions/settlement.ts'
import { EncryptionKey } from './vault/encryption-key.ts'
import { WebhookSender } from './webhooks/webhook-sender.ts'

interface NexioOptions {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** Receives every event of every account. */
  readonly defaultWebhook?: NexioWebhook | undefined
  /** The current time in milliseconds; the system clock by default. */
  readonly clock?: () => number
}

/** The kinds of object that a reset keeps. */
const PERSISTENT_KINDS = ['card', 'echeck', 'webhook_config']

/** The sandbox's Nexio: its stored objects, its encryption key and the webhook events it sends. */
export class Nexio {
  readonly faults: Faults
  readonly key: EncryptionKey
  readonly webhooks: WebhookSender
  readonly #stores: SessionStores

  constructor({ dir, ledger, faults, settlements, defaultWebhook, clock = Date.now }: NexioOptions) {
    const objects = new ObjectStore(dir, 'nexio')
    this.#stores = { objects, ledger, clock }
    this.faults = faults
    this.key = new EncryptionKey(dir)
    this.webhooks = new WebhookSender({ objects, faults, clock, defaultWebhook })
    settlements.register('nexio', (id, outcome) => this.#settle(id, outcome))
    this.webhooks.resume()
  }

  /** A session of that user name. */
  openSession(account: string, baseUrl = ''): NexioSession {
    return new NexioSession(this.#stores, { account, baseUrl })
  }

  /** The object of that kind and id with the account that has it. */
  findInAnyAccount<Stored extends StoredObject>(kind: Stored['object'], id: string): { account: string; object: Stored } | undefined {
    const { objects } = this.#stores
    for (const account of objects.accounts()) {
      const object = objects.find(account, kind, id) as Stored | undefined
      if (object !== undefined) return { account, object }
    }
    return undefined
  }

  /** Settles the captured card payments of every account, and returns how many there were. */
  async settleBatch(): Promise<number> {
    let count = 0
    for (const account of this.#stores.objects.accounts()) {
      const session = this.openSession(account)
      count += settleCards(session)
      await this.#sendWebhooks(session)
    }
    return count
  }

  /** Removes all payments, one-time-use tokens and pending webhook events; cards, bank accounts and webhook settings stay. */
  reset(): void {
    this.webhooks.reset()
    this.#stores.objects.keepOnly(PERSISTENT_KINDS)
  }

  /** Cancels pending webhook events. */
  close(): void {
    this.webhooks.reset()
  }

  async #settle(id: string, outcome: SettlementOutcome): Promise<LedgerEntry | undefined> {
    const { objects, ledger } = this.#stores
    for (const account of objects.accounts()) {
      const session = this.openSession(account)
      const payment = findPayment(session, id)
      if (payment === undefined) continue
      if (settlePayment(session, payment, outcome) === undefined) return undefined
      await this.#sendWebhooks(session)
      return ledger.list().find((entry) => entry.provider === 'nexio' && entry.id === payment.refNumber)
    }
    return undefined
  }

  async #sendWebhooks(session: NexioSession): Promise<void> {
    const batch = this.webhooks.prepare(session)
    await this.webhooks.beforeResponse(batch)
    await this.webhooks.afterResponse(batch)
  }
}
