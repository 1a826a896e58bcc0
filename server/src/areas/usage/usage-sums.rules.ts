import { addDays, type Day, daysBetween, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'
import { toExact, toShortText } from '@counterfoil/contract/kit/decimal'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { MAX_USAGE_BARS_BY_DAY, type UsageBar, type UsageSummary } from '@counterfoil/contract/usage'
import type { UsageInterval, UsageSum } from './usage-sums.queries.ts'

/** Whether the sums of a filter are given for each day or, for a long span, for each month. */
export const intervalOf = ({ dateFrom, dateTo }: UsageFilter): UsageInterval =>
  daysBetween(dateFrom, dateTo) < MAX_USAGE_BARS_BY_DAY ? 'day' : 'month'

/**
 * The sums of a filter, with a bar for every day or month of it, also for those without records. Units are null unless the filter has one
 * record type.
 */
export const toUsageSummary = (filter: UsageFilter, sums: readonly UsageSum[]): UsageSummary => {
  const sumOfStart = new Map(sums.map((sum) => [sum.start, sum]))
  const bars = barDays(filter).map(({ start, ...days }): UsageBar => {
    const { records, price } = sumOfStart.get(start) ?? { records: 0, price: '0' }
    return { ...days, records, price: withoutTrailingZeros(price) }
  })
  return {
    records: sums.reduce((total, { records }) => total + records, 0),
    price: sumDecimals(sums.map(({ price }) => price)),
    units: filter.recordType === 0 ? null : sumDecimals(sums.map(({ units }) => units)),
    bars,
  }
}

/** The same decimal without needless zeros. */
const withoutTrailingZeros = (decimal: string): string => toShortText(toExact(decimal))

const sumDecimals = (decimals: readonly string[]): string => toShortText(decimals.reduce((sum, decimal) => sum + toExact(decimal), 0n))

/** The days or months of a filter, oldest first: where each begins, and which of its days the filter has. */
const barDays = (filter: UsageFilter): { start: Day; dateFrom: Day; dateTo: Day }[] => {
  const isByDay = intervalOf(filter) === 'day'
  const bars: { start: Day; dateFrom: Day; dateTo: Day }[] = []
  for (let dateFrom = filter.dateFrom; dateFrom <= filter.dateTo; ) {
    const end = isByDay ? dateFrom : lastOfMonth(dateFrom)
    const dateTo = end < filter.dateTo ? end : filter.dateTo
    bars.push({ start: isByDay ? dateFrom : firstOfMonth(dateFrom), dateFrom, dateTo })
    dateFrom = addDays(dateTo, 1)
  }
  return bars
}
