import { invalidRequest } from '../api/stripe-error.ts'

/*
 * Stripe's rules for amounts (docs.stripe.com/currencies). They are written here independently of the adapter's, so that a mistake in one
 * of the two shows.
 */

/** Three digits are written, of which the last must be 0. */
const THREE_DECIMAL: ReadonlySet<string> = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
/** Two digits are written, and both must be 0; ISO 4217 knows no smaller unit. */
const WHOLE_WITH_TWO_ZEROS: ReadonlySet<string> = new Set(['isk', 'ugx'])
/** No digits are written, where ISO 4217 has two. */
const WHOLE_ONLY = 'mga'

/** @throws StripeError for an amount that the currency cannot have at Stripe */
export const requireChargeableAmount = (amount: number, currency: string): void => {
  const step = THREE_DECIMAL.has(currency) ? 10 : WHOLE_WITH_TWO_ZEROS.has(currency) ? 100 : 1
  if (amount % step !== 0)
    throw invalidRequest(`Invalid amount: amounts in ${currency} must be divisible by ${step}.`, {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
}

/** Converts an amount from Stripe's minor units to those of ISO 4217, which the ledger has. `currency` is in lower case. */
export const toIsoMinor = (amount: number, currency: string): number => {
  if (WHOLE_WITH_TWO_ZEROS.has(currency)) return amount / 100
  return currency === WHOLE_ONLY ? amount * 100 : amount
}
