import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SettlementOutcome, Settlements } from '../ledger/settlements.ts'
import type { ProviderName } from '../provider-names.ts'
import { ObjectStore, type StoredObject } from './object-store.ts'
import type { Session, SessionStores } from './session.ts'
import { WebhookSender, type WebhookStyle } from './webhook-sender.ts'

/** What every provider is opened with. */
export interface ProviderDeps {
  /** The folder of the stored data. */
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** The current time in milliseconds. */
  readonly clock: () => number
}

export interface ProviderTraits<Opened> {
  readonly name: ProviderName
  /** The kinds of object that a reset keeps. */
  readonly keptKinds: readonly string[]
  /** How it sends webhook events, where it does. */
  readonly webhooks?: WebhookStyle<Opened>
}

const NO_WEBHOOKS: WebhookStyle<unknown> = { messagesOf: () => [], headersOf: () => ({}), forgeBody: (body) => body }

/** One provider of the sandbox: its stored objects, its clock and the webhook events that it sends. */
export abstract class Provider<Opened extends Session<unknown>> {
  readonly faults: Faults
  readonly webhooks: WebhookSender<Opened>
  protected readonly stores: SessionStores
  readonly #keptKinds: readonly string[]
  /** How far the clock was set ahead, in milliseconds. */
  #aheadMs = 0

  constructor({ dir, ledger, faults, settlements, clock }: ProviderDeps, { name, keptKinds, webhooks }: ProviderTraits<Opened>) {
    this.stores = { provider: name, objects: new ObjectStore(dir, name), ledger, clock: () => clock() + this.#aheadMs }
    this.faults = faults
    this.#keptKinds = keptKinds
    this.webhooks = new WebhookSender<Opened>(this.stores, faults, webhooks ?? NO_WEBHOOKS)
    settlements.register(name, (id, outcome) => this.#settleInAnyAccount(id, outcome))
    this.webhooks.resume()
  }

  /** A new session of the account, for one request. */
  abstract openSession(account: string): Opened

  /** Gives a payment of the session's account this outcome; returns its id in the ledger, or undefined when no payment can have it. */
  protected settle?(session: Opened, id: string, outcome: SettlementOutcome): string | undefined

  /** The current time in milliseconds. */
  now(): number {
    return this.stores.clock()
  }

  /** Sets the clock, which then goes on, as tests do whose own clock runs ahead. */
  setClock(ms: number): void {
    this.#aheadMs += ms - this.now()
  }

  /** The object of that kind and id with the account that has it. */
  findInAnyAccount<Stored extends StoredObject>(kind: Stored['object'], id: string): { account: string; object: Stored } | undefined {
    const { objects } = this.stores
    for (const account of objects.accounts()) {
      const object = objects.find(account, kind, id) as Stored | undefined
      if (object !== undefined) return { account, object }
    }
    return undefined
  }

  /** Removes all payments and pending webhook events, and resets the clock; what customers stored stays. */
  reset(): void {
    this.webhooks.reset()
    this.stores.objects.keepOnly([...this.#keptKinds, 'sequence'])
    this.#aheadMs = 0
  }

  /** Cancels pending webhook events. */
  close(): void {
    this.webhooks.reset()
  }

  async #settleInAnyAccount(id: string, outcome: SettlementOutcome): Promise<LedgerEntry | undefined> {
    const { objects, ledger, provider } = this.stores
    for (const account of objects.accounts()) {
      const session = this.openSession(account)
      const ledgerId = this.settle?.(session, id, outcome)
      if (ledgerId === undefined) continue
      await this.webhooks.send(session)
      return ledger.list().find((entry) => entry.provider === provider && entry.id === ledgerId)
    }
    return undefined
  }
}
