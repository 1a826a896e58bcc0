import type { Faults } from '../faults/faults.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { ObjectStore } from '../kit/object-store.ts'
import { startNextBatch } from './payments/batch-number.ts'
import { MonerisSession, type SessionStores } from './store/moneris-session.ts'

interface MonerisOptions {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** The kinds of object that a reset keeps. */
const PERSISTENT_KINDS = ['profile', 'temporary_token', 'batch', 'sequence']

/** The sandbox's Moneris: its stored objects. */
export class Moneris {
  readonly faults: Faults
  readonly #objects: ObjectStore
  readonly #stores: SessionStores

  constructor({ dir, ledger, faults, clock }: MonerisOptions) {
    this.faults = faults
    this.#objects = new ObjectStore(dir, 'moneris')
    this.#stores = { objects: this.#objects, ledger, clock }
  }

  /** A session with the objects of one store. */
  openSession(store: string): MonerisSession {
    return new MonerisSession(this.#stores, store)
  }

  /** A session with the tokens that a hosted page made, which belong to no store. */
  openSharedSession(): MonerisSession {
    return MonerisSession.ofNoStore(this.#stores)
  }

  /** Closes the open batch of one store, or of every store. Returns the stores. */
  closeBatches(store?: string): string[] {
    const stores = this.#objects.accounts().filter((account) => account !== '' && (store === undefined || account === store))
    for (const one of stores) startNextBatch(this.openSession(one))
    return stores
  }

  /** Removes all payments; stored cards, tokens and the batch stay. */
  reset(): void {
    this.#objects.keepOnly(PERSISTENT_KINDS)
  }
}
