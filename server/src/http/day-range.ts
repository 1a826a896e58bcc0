import { type Day, daysBetween } from '@counterfoil/contract/kit/day'
import { invalidInput } from '../kit/api-error.ts'

/** The longest range that one request may cover: ten years of days. */
const MAX_DAYS = 3_660

/** The times that may follow the first and the last day of a range. They change nothing: a range always consists of whole days. */
export const EDGE_TIMES = { first: '00:00:00', last: '23:59:59' } as const

/**
 * A day without the time of its edge (` 00:00:00` of the first, ` 23:59:59` of the last). Any other time stays, and makes the text invalid
 * as a day.
 */
export const stripEdgeTime = (text: string, edge: keyof typeof EDGE_TIMES): string => {
  const time = ` ${EDGE_TIMES[edge]}`
  return text.endsWith(time) ? text.slice(0, -time.length) : text
}

/** Checks a range of days, both included. @throws ApiError 400 when the days are in the wrong order or span more than ten years */
export const assertValidRange = (from: Day, to: Day, path: string): void => {
  const days = daysBetween(from, to) + 1
  if (days < 1) throw invalidInput(path, 'The last day lies before the first.')
  if (days > MAX_DAYS) throw invalidInput(path, 'Please choose at most ten years at a time.')
}
