import type { Booking, Ledger } from '../ledger/ledger.ts'
import type { ProviderName } from '../provider-names.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

/** What the sessions of one provider work with. */
export interface SessionStores {
  readonly provider: ProviderName
  readonly objects: ObjectStore
  readonly ledger: Ledger
  /** The current time in milliseconds. */
  readonly clock: () => number
}

interface Sequence extends StoredObject {
  readonly last: number
}

/** Belongs to no account: an account's name is never empty. */
const NO_ACCOUNT = ''

/** Reads and writes one account's objects during one request, and collects the webhook events to send afterwards. */
export class Session<PendingEvent = never> {
  readonly account: string
  protected readonly stores: SessionStores
  readonly #pendingEvents: PendingEvent[] = []

  /** @param account without it, the session has the objects that every account may use */
  constructor(stores: SessionStores, account = NO_ACCOUNT) {
    this.stores = stores
    this.account = account
  }

  /** The current time in milliseconds. */
  get now(): number {
    return this.stores.clock()
  }

  find<Stored extends StoredObject>(kind: Stored['object'], id: string): Stored | undefined {
    return this.stores.objects.find(this.account, kind, id) as Stored | undefined
  }

  /** All objects of a kind, newest first. */
  all<Stored extends StoredObject>(kind: Stored['object']): Stored[] {
    return this.stores.objects.all(this.account, kind) as Stored[]
  }

  put<Stored extends StoredObject>(object: Stored): Stored {
    return this.stores.objects.put(this.account, object)
  }

  remove(id: string): void {
    this.stores.objects.remove(this.account, id)
  }

  /** The next number of a sequence over all accounts, which goes on after a restart and a reset. */
  nextNumber(before = 0): number {
    const shared = new Session(this.stores)
    const last = (shared.find<Sequence>('sequence', 'sequence')?.last ?? before) + 1
    shared.put<Sequence>({ id: 'sequence', object: 'sequence', last })
    return last
  }

  /** Adds an event to send after the request. */
  emit(event: PendingEvent): void {
    this.#pendingEvents.push(event)
  }

  /** The events to send, in the order in which they happened; each is returned once. */
  takeEvents(): PendingEvent[] {
    return this.#pendingEvents.splice(0)
  }

  /** Books money in the sandbox's ledger. */
  book(booking: Omit<Booking, 'provider'>): void {
    this.stores.ledger.book({ ...booking, provider: this.stores.provider })
  }
}
