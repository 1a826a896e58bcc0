import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'

/** What may be charged, and what may be added to it. */
export interface ProviderAmounts<Settings> {
  /** The currencies that an account with these settings can charge; every currency when absent. */
  readonly currencies?: (settings: Settings) => readonly string[]
  /** The step of the amounts in a currency, in our minor units: 10 where the provider has one digit less than ISO 4217. */
  readonly step?: (currency: string) => number
  /** The limits of one payment in a currency, from the provider's public documents; its README cites them. */
  readonly limits?: (currency: string) => AmountLimits
  /** The fee lines that a reseller's fee rules may add to its payments. */
  readonly feeLines?: readonly FeeLine[]
}

/** The smallest and the largest amount of one currency, in our minor units; a bound is absent where the provider's documents name none. */
export interface AmountLimits {
  readonly minMinor?: number
  readonly maxMinor?: number
}
