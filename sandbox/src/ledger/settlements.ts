import type { LedgerEntry } from './ledger.ts'
import type { ProviderName } from '../providers.ts'

/** How a debit ends; `returned` is for one that had settled. */
export const OUTCOMES = ['succeeded', 'failed', 'returned'] as const

export type Outcome = (typeof OUTCOMES)[number]

/** Settles the debit with that id, books its new status and sends the notice; gives undefined when no such debit waits for that outcome. */
export type Settle = (id: string, outcome: Outcome) => Promise<LedgerEntry | undefined>

/** Each provider's way of settling its waiting debits. */
export class Settlements {
  readonly #settles = new Map<ProviderName, Settle>()

  /** A stand-in says how its debits settle. */
  register(provider: ProviderName, settle: Settle): void {
    this.#settles.set(provider, settle)
  }

  /** The entry as it stands after settling; undefined when no debit of that provider and id waits. */
  async settle(provider: ProviderName, id: string, outcome: Outcome): Promise<LedgerEntry | undefined> {
    return this.#settles.get(provider)?.(id, outcome)
  }
}
