/** The smallest and the largest amount of one currency, in our minor units; a bound is absent where the provider's documents name none. */
export interface AmountLimits {
  readonly minMinor?: number
  readonly maxMinor?: number
}
