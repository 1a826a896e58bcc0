import type { Day } from '@counterfoil/contract/kit/day'

export const INVALID_DATE = 'Please provide valid date'

const MAX_YEAR = 2070

/**
 * The error of a card's expiry date as typed: month 1 to 12, this year to 2070, not before this month (PM-08).
 * @param today "YYYY-MM-DD"
 * @returns the error text; undefined when the date is valid
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

/** A text of at most `maxDigits` digits as a number; NaN for any other text. */
const parseDigits = (text: string, maxDigits: number): number => {
  const trimmed = text.trim()
  return /^\d+$/.test(trimmed) && trimmed.length <= maxDigits ? Number(trimmed) : Number.NaN
}
