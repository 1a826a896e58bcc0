import { addDays, type Day } from '@counterfoil/contract/kit/day'
import { BadRow } from '../bad-row.ts'
import type { UtcInstant } from '../instant.rules.ts'

/**
 * The first and last day of a billing period. The end of a FOCUS period is exclusive;
 * an end other than midnight is taken as inclusive.
 * @throws BadRow when the period has no day
 */
export const periodOf = (start: UtcInstant, end: UtcInstant): { startsOn: Day; endsOn: Day } => {
  const endsOn = /^00:00:00(\.0+)?$/.test(end.time) ? addDays(end.day, -1) : end.day
  if (endsOn < start.day) throw new BadRow('BillingPeriodEnd: the billing period ends before it begins')
  return { startsOn: start.day, endsOn }
}
