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

/** The account of what belongs to no terminal. */
const NO_TERMINAL = ''

/** Reads and writes the objects of one terminal. */
export class IPpaySession {
  readonly terminal: string
  readonly #stores: SessionStores

  constructor(stores: SessionStores, terminal: string) {
    this.#stores = stores
    this.terminal = terminal
  }

  /** The current time in milliseconds. */
  get now(): number {
    return this.#stores.clock()
  }

  find<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored | undefined {
    return this.#stores.objects.find(this.terminal, kind, id) as Stored | undefined
  }

  /** All objects of a kind, newest first. */
  all<Stored extends StoredObject>(kind: Stored['object']): Stored[] {
    return this.#stores.objects.all(this.terminal, kind) as Stored[]
  }

  put<Stored extends StoredObject>(object: Stored): Stored {
    return this.#stores.objects.put(this.terminal, object)
  }

  /** The next number of a sequence over all terminals, which goes on after a restart and a reset. */
  nextNumber(): number {
    const shared = new IPpaySession(this.#stores, NO_TERMINAL)
    const last = (shared.find<Sequence>('sequence', 'sequence')?.last ?? 84_000_000) + 1
    shared.put<Sequence>({ id: 'sequence', object: 'sequence', last })
    return last
  }

  /** Books money in the sandbox's ledger, in US cents. */
  book(booking: Pick<Booking, 'id' | 'reference' | 'amount' | 'status' | 'method'>): void {
    this.#stores.ledger.book({ ...booking, provider: 'ippay', currency: 'USD' })
  }
}
