import type { Day } from '@counterfoil/contract/kit/day'

export const INVALID_DATE = 'Please provide valid date'

const MAX_YEAR = 2070

/**
 * What is wrong with the expiry of a card as it is typed: month 1 to 12, year from this one to 2070, not before this month.
 * @param today "YYYY-MM-DD"
 * @returns the specified message; undefined when the date may be saved
 *
 * Source: payments.md §5, Expiry in edit.
 */
export const expiryProblem = (month: string, year: string, today: Day): string | undefined => {
  const [thisYear, thisMonth] = today.split('-').map(Number)
  if (thisYear === undefined || thisMonth === undefined) return INVALID_DATE
  const [m, y] = [parseDigits(month, 2), parseDigits(year, 4)]
  const isMonth = m >= 1 && m <= 12
  const isYear = y >= thisYear && y <= MAX_YEAR
  const isPast = y === thisYear && m < thisMonth
  return isMonth && isYear && !isPast ? undefined : INVALID_DATE
}

/** A whole number of at most so many digits; NaN for every other text. */
const parseDigits = (text: string, maxDigits: number): number => {
  const trimmed = text.trim()
  return /^\d+$/.test(trimmed) && trimmed.length <= maxDigits ? Number(trimmed) : Number.NaN
}
