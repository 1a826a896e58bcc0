import type { BillingPeriod } from '@counterfoil/contract/agreements'
import { formatDay } from '../../format/format.ts'

/** A period as it is chosen: its month and year, or its first and last day (portal.md §2, Transactions). */
export const periodName = ({ month, periodLabel, periodStart, periodEnd }: BillingPeriod): string =>
  month === null ? `${formatDay(periodStart)} – ${formatDay(periodEnd)}` : periodLabel

/** The file of a period's transactions: "10_2026_Transactions.csv"; any other period than a month by its first and last day. */
export const transactionsFileName = ({ month, year, periodStart, periodEnd }: BillingPeriod): string => {
  const period = month === null || year === null ? `${periodStart}_${periodEnd}` : `${String(month).padStart(2, '0')}_${year}`
  return `${period}_Transactions.csv`
}
