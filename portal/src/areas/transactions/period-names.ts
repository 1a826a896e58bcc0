import type { BillingPeriod } from '@counterfoil/contract/agreements'
import { formatPeriod } from '../../format/format.ts'

/** The label of a period: its month and year, or its first and last day (TXN-01). */
export const periodName = ({ periodStart, periodEnd }: BillingPeriod): string => formatPeriod({ from: periodStart, to: periodEnd })

/** The file name of a period's transactions: "10_2026_Transactions.csv", or first and last day when the period is not a month. */
export const transactionsFileName = ({ month, year, periodStart, periodEnd }: BillingPeriod): string => {
  const period = month === null || year === null ? `${periodStart}_${periodEnd}` : `${String(month).padStart(2, '0')}_${year}`
  return `${period}_Transactions.csv`
}
