import { addDays, type Day } from '@counterfoil/contract/kit/day'
import { BadRow } from '../bad-row.ts'
import type { UtcInstant } from '../instant.rules.ts'

/**
 * The days of a billing period. FOCUS ends a period with the first moment that no longer belongs to it;
 * an end that is not midnight is taken as the last moment that does.
 * @throws BadRow when the period has no day
 */
export const periodOf = (start: UtcInstant, end: UtcInstant): { startsOn: Day; endsOn: Day } => {
  const endsOn = /^00:00:00(\.0+)?$/.test(end.time) ? addDays(end.day, -1) : end.day
  if (endsOn < start.day) throw new BadRow('BillingPeriodEnd: the billing period ends before it begins')
  return { startsOn: start.day, endsOn }
}
