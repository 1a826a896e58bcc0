import { type Day, daysBetween } from '@counterfoil/contract/kit/day'
import { invalidInput } from '../kit/api-error.ts'

/** The longest span that one question may cover: ten years of days. */
const MAX_DAYS = 3_660

/** The time that may stand behind the first and behind the last day of a span (portal.md §7): its days are whole ones, with it or without. */
export const EDGE_TIMES = { first: '00:00:00', last: '23:59:59' } as const

/** A day as it is written, without the time of its edge; any other time stays, and makes it no day. */
export const stripEdgeTime = (text: string, edge: keyof typeof EDGE_TIMES): string => {
  const time = ` ${EDGE_TIMES[edge]}`
  return text.endsWith(time) ? text.slice(0, -time.length) : text
}

/** @throws Refusal 400 when the days are the wrong way round or further apart than ten years */
export const assertValidRange = (from: Day, to: Day, path: string): void => {
  const days = daysBetween(from, to) + 1
  if (days < 1) throw invalidInput(path, 'The last day lies before the first.')
  if (days > MAX_DAYS) throw invalidInput(path, 'Please choose at most ten years at a time.')
}
