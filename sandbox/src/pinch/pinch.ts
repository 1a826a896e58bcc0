import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SettlementOutcome, Settlements } from '../ledger/settlements.ts'
import { ObjectStore } from '../kit/object-store.ts'
import { AccessTokens } from './api/access-tokens.ts'
import { settlePayment } from './payments/settlement.ts'
import { settleRefund } from './payments/refund.ts'
import type { PinchWebhook } from './pinch.settings.ts'
import { PinchSession, type SessionStores } from './store/pinch-session.ts'
import { WebhookSender } from './webhooks/webhook-sender.ts'

interface PinchOptions {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** Receives every event of every account. */
  readonly defaultWebhook?: PinchWebhook | undefined
  /** The current time in milliseconds; the system clock by default. */
  readonly clock?: () => number
}

/** The kinds of object that a reset keeps. */
const PERSISTENT_KINDS = ['payer', 'webhook']

/** The sandbox's Pinch: its stored objects, its bearer tokens and the webhook events that it sends. */
export class Pinch {
  readonly faults: Faults
  readonly accessTokens: AccessTokens
  readonly webhooks: WebhookSender
  readonly #stores: SessionStores

  constructor({ dir, ledger, faults, settlements, defaultWebhook, clock = Date.now }: PinchOptions) {
    const objects = new ObjectStore(dir, 'pinch')
    this.#stores = { objects, ledger, clock }
    this.faults = faults
    this.accessTokens = new AccessTokens(clock)
    this.webhooks = new WebhookSender({ objects, faults, clock, defaultWebhook })
    settlements.register('pinch', (id, outcome) => this.#settle(id, outcome))
    this.webhooks.resume()
  }

  /** A session of that account in one of its modes. */
  openSession(account: string, mode: string): PinchSession {
    return new PinchSession(this.#stores, { account, mode })
  }

  /** Removes payments, refunds, tokens and pending webhook events; payers, their sources and webhook settings stay. */
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
    for (const key of objects.accounts()) {
      const session = PinchSession.ofKey(this.#stores, key)
      if (!settlePayment(session, id, outcome) && !settleRefund(session, id, outcome)) continue
      const batch = this.webhooks.prepare(session)
      await this.webhooks.beforeResponse(batch)
      await this.webhooks.afterResponse(batch)
      return ledger.list().find((entry) => entry.provider === 'pinch' && entry.id === id)
    }
    return undefined
  }
}
