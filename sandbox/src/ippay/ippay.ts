import type { Faults } from '../faults/faults.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import { isChargeback, type SettlementOutcome, type Settlements } from '../ledger/settlements.ts'
import { ObjectStore } from '../kit/object-store.ts'
import { chargeBack, settleCheck, settleSales, type Transaction } from './payments/transaction.ts'
import { IPpaySession, type SessionStores } from './store/ippay-session.ts'

interface IPpayOptions {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** The kinds of object that a reset keeps. */
const PERSISTENT_KINDS = ['token', 'sequence']

/** The sandbox's IPpay: its stored objects. */
export class IPpay {
  readonly faults: Faults
  readonly #objects: ObjectStore
  readonly #stores: SessionStores
  readonly #ledger: Ledger
  /** How far the clock was set ahead, in milliseconds. */
  #aheadMs = 0

  constructor({ dir, ledger, faults, settlements, clock }: IPpayOptions) {
    this.faults = faults
    this.#ledger = ledger
    this.#objects = new ObjectStore(dir, 'ippay')
    this.#stores = { objects: this.#objects, ledger, clock: () => clock() + this.#aheadMs }
    settlements.register('ippay', async (id, outcome) => this.#settle(id, outcome))
  }

  /** The current time in milliseconds. */
  now(): number {
    return this.#stores.clock()
  }

  /** Sets the clock, as tests do whose own clock runs ahead. */
  setClock(ms: number): void {
    this.#aheadMs += ms - this.now()
  }

  /** A session with the objects of one terminal. */
  openSession(terminal: string): IPpaySession {
    return new IPpaySession(this.#stores, terminal)
  }

  /** Closes the batch of one terminal, or of every terminal. Returns how many sales were settled. */
  settleBatch(terminal?: string): number {
    const terminals = terminal === undefined ? this.#objects.accounts() : [terminal]
    return terminals.reduce((sum, one) => sum + settleSales(this.openSession(one)), 0)
  }

  /** Removes all payments; tokens stay. */
  reset(): void {
    this.#objects.keepOnly(PERSISTENT_KINDS)
  }

  #settle(id: string, outcome: SettlementOutcome): LedgerEntry | undefined {
    for (const terminal of this.#objects.accounts()) {
      const session = this.openSession(terminal)
      const transaction = session.find<Transaction>('transaction', id)
      if (transaction === undefined || !settleTransaction(session, transaction, outcome)) continue
      return this.#ledger.list().find((entry) => entry.provider === 'ippay' && entry.id === id)
    }
    return undefined
  }
}

const settleTransaction = (session: IPpaySession, transaction: Transaction, outcome: SettlementOutcome): boolean =>
  isChargeback(outcome)
    ? outcome === 'charged_back' && chargeBack(session, transaction)
    : transaction.type === 'CHECK' && settleCheck(session, transaction, outcome)
