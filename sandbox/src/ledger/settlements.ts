import type { LedgerEntry } from './ledger.ts'
import type { ProviderName } from '../provider-names.ts'

/** How a debit ends; only a settled debit can be `returned`. */
const DEBIT_OUTCOMES = ['succeeded', 'failed', 'returned'] as const

/** What a bank does to a settled card payment, where the provider has a way to tell of it. */
const CHARGEBACK_OUTCOMES = ['charged_back', 'chargeback_won'] as const

export const SETTLEMENT_OUTCOMES = [...DEBIT_OUTCOMES, ...CHARGEBACK_OUTCOMES] as const

export type DebitOutcome = (typeof DEBIT_OUTCOMES)[number]
export type ChargebackOutcome = (typeof CHARGEBACK_OUTCOMES)[number]
export type SettlementOutcome = DebitOutcome | ChargebackOutcome

export const isChargeback = (outcome: SettlementOutcome): outcome is ChargebackOutcome =>
  (CHARGEBACK_OUTCOMES as readonly string[]).includes(outcome)

/** Gives a payment this outcome, books its new status and sends the webhook events. Undefined when no such payment can have it. */
export type Settle = (id: string, outcome: SettlementOutcome) => Promise<LedgerEntry | undefined>

/** How each provider settles its payments. */
export class Settlements {
  readonly #settles = new Map<ProviderName, Settle>()

  register(provider: ProviderName, settle: Settle): void {
    this.#settles.set(provider, settle)
  }

  /** The entry after settling; undefined when the provider has no such payment. */
  async settle(provider: ProviderName, id: string, outcome: SettlementOutcome): Promise<LedgerEntry | undefined> {
    return this.#settles.get(provider)?.(id, outcome)
  }
}
