import type { LedgerEntry } from './ledger.ts'
import type { ProviderName } from '../providers.ts'

/** How a debit ends; only a settled debit can be `returned`. */
export const SETTLEMENT_OUTCOMES = ['succeeded', 'failed', 'returned'] as const

export type SettlementOutcome = (typeof SETTLEMENT_OUTCOMES)[number]

/** Settles the debit, books its new status and sends the webhook events. Undefined when no such debit can have that outcome. */
export type Settle = (id: string, outcome: SettlementOutcome) => Promise<LedgerEntry | undefined>

/** How each provider settles its pending debits. */
export class Settlements {
  readonly #settles = new Map<ProviderName, Settle>()

  register(provider: ProviderName, settle: Settle): void {
    this.#settles.set(provider, settle)
  }

  /** The entry after settling; undefined when the provider has no such debit. */
  async settle(provider: ProviderName, id: string, outcome: SettlementOutcome): Promise<LedgerEntry | undefined> {
    return this.#settles.get(provider)?.(id, outcome)
  }
}
