import type { PinchSession } from '../store/pinch-session.ts'

/** Why a bank refuses, as Pinch names it. */
const DISHONOUR_CODES = [
  'insufficient-funds',
  'temporary-problem',
  'blocked-by-bank',
  'invalid-card',
  'invalid-account',
  'unsupported-card',
  'technical-error',
] as const

export type DishonourCode = (typeof DISHONOUR_CODES)[number]

/** The sandbox's own: the last two digits of an amount that a bank refuses, since nothing that a person types reaches the texts below. */
const CODES_BY_CENTS: Readonly<Record<number, DishonourCode>> = {
  5: 'blocked-by-bank',
  51: 'insufficient-funds',
  54: 'invalid-card',
  91: 'technical-error',
  97: 'temporary-problem',
}

interface Refusable {
  readonly amount: number
  readonly description: string | null
  readonly firstName: string
}

/**
 * Why the bank refuses a payment: in test mode by a `#code` in the description or the first name, else by the amount's cents. Undefined
 * when the bank accepts.
 */
export const dishonourOf = (session: PinchSession, { amount, description, firstName }: Refusable): DishonourCode | undefined => {
  const [, code] = /#([a-z-]+)/.exec(`${description ?? ''} ${firstName}`) ?? []
  const forced = session.isTestMode ? DISHONOUR_CODES.find((known) => known === code) : undefined
  return forced ?? CODES_BY_CENTS[amount % 100]
}
