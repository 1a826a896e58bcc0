import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'

export interface SessionStores {
  readonly objects: ObjectStore
  readonly ledger: Ledger
  /** The current time in milliseconds. */
  readonly clock: () => number
}

interface Sequence extends StoredObject {
  readonly last: number
}

/** Belongs to no store: a store id is never empty. */
const NO_STORE = ''

/** Reads and writes the objects of one store. */
export class MonerisSession {
  readonly store: string
  readonly #stores: SessionStores

  constructor(stores: SessionStores, store: string) {
    this.#stores = stores
    this.store = store
  }

  /** A session for objects that every store may use. */
  static ofNoStore(stores: SessionStores): MonerisSession {
    return new MonerisSession(stores, NO_STORE)
  }

  /** The session for objects that every store may use. */
  get shared(): MonerisSession {
    return MonerisSession.ofNoStore(this.#stores)
  }

  /** The current time in milliseconds. */
  get now(): number {
    return this.#stores.clock()
  }

  find<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored | undefined {
    return this.#stores.objects.find(this.store, kind, id) as Stored | undefined
  }

  /** All objects of a kind, newest first. */
  all<Stored extends StoredObject>(kind: Stored['object']): Stored[] {
    return this.#stores.objects.all(this.store, kind) as Stored[]
  }

  put<Stored extends StoredObject>(object: Stored): Stored {
    return this.#stores.objects.put(this.store, object)
  }

  remove(id: string): void {
    this.#stores.objects.remove(this.store, id)
  }

  /** The next number of a sequence over all stores, which goes on after a restart and a reset. */
  nextNumber(): number {
    const { shared } = this
    const last = (shared.find<Sequence>('sequence', 'sequence')?.last ?? 0) + 1
    shared.put<Sequence>({ id: 'sequence', object: 'sequence', last })
    return last
  }

  /** Books money in the sandbox's ledger, in Canadian cents. */
  book(booking: Pick<Booking, 'id' | 'reference' | 'amount' | 'status'>): void {
    this.#stores.ledger.book({ ...booking, provider: 'moneris', currency: 'CAD', method: 'card' })
  }
}
