import type { BillingPeriod } from '@counterfoil/contract/agreements'
import { isWholeMonth, periodLabel } from '../../kit/month-label.ts'
import type { PeriodRow } from './agreements.queries.ts'

/** A billing period in the form of the API; month and year are null unless the period is a whole calendar month. */
export const toBillingPeriod = ({ id, startsOn, endsOn }: PeriodRow): BillingPeriod => {
  const isMonth = isWholeMonth(startsOn, endsOn)
  return {
    id,
    month: isMonth ? Number(startsOn.slice(5, 7)) : null,
    year: isMonth ? Number(startsOn.slice(0, 4)) : null,
    periodStart: startsOn,
    periodEnd: endsOn,
    periodLabel: periodLabel(startsOn, endsOn),
  }
}
