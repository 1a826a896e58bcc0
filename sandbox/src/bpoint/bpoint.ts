import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SettlementOutcome, Settlements } from '../ledger/settlements.ts'
import { ObjectStore, type StoredObject } from '../kit/object-store.ts'
import { BpointSession, type SessionStores } from './store/bpoint-session.ts'
import { settleDebit } from './transactions/settlement.ts'
import type { Transaction } from './transactions/transaction.ts'
import { WebhookSender } from './webhooks/webhook-sender.ts'

interface BpointOptions {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** The current time in milliseconds; the system clock by default. */
  readonly clock?: () => number
}

/** The kinds of object that a reset keeps. */
const PERSISTENT_KINDS = ['token']

/** The sandbox's BPOINT: its stored objects, and the webhook events that it sends. */
export class Bpoint {
  readonly faults: Faults
  readonly webhooks: WebhookSender
  readonly #stores: SessionStores
  #aheadMs = 0

  constructor({ dir, ledger, faults, settlements, clock = Date.now }: BpointOptions) {
    const objects = new ObjectStore(dir, 'bpoint')
    this.#stores = { objects, ledger, clock: () => clock() + this.#aheadMs }
    this.faults = faults
    this.webhooks = new WebhookSender({ objects, faults })
    settlements.register('bpoint', (id, outcome) => this.#settle(id, outcome))
    this.webhooks.resume()
  }

  /** Sets the clock, which then goes on: searches are by day, and the clock of a test may have advanced. */
  setClock(ms: number): void {
    this.#aheadMs += ms - this.#stores.clock()
  }

  /** A session of that merchant number. */
  openSession(account: string): BpointSession {
    return new BpointSession(this.#stores, account)
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

  /** Removes all payments, keys and pending webhook events; stored methods stay. */
  reset(): void {
    this.webhooks.reset()
    this.#stores.objects.keepOnly(PERSISTENT_KINDS)
    this.#aheadMs = 0
  }

  /** Cancels pending webhook events. */
  close(): void {
    this.webhooks.reset()
  }

  async #settle(id: string, outcome: SettlementOutcome): Promise<LedgerEntry | undefined> {
    const found = this.findInAnyAccount<Transaction>('txn', id)
    if (found === undefined) return undefined
    const session = this.openSession(found.account)
    if (settleDebit(session, found.object, outcome) === undefined) return undefined
    const batch = this.webhooks.prepare(session)
    await this.webhooks.beforeResponse(batch)
    await this.webhooks.afterResponse(batch)
    return this.#stores.ledger.list().find((entry) => entry.provider === 'bpoint' && entry.id === id)
  }
}
