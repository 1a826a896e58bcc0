import { formatMoney, formatMonth, formatMonthName } from '../../format/format.ts'
import { formatTick } from '../../format/chart-number.ts'
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx'
import { ChartLegend } from '../../ui/chart/chart-legend.tsx'
import styles from './spending.module.css'
import { monthDetail } from './spending-texts.ts'
import type { MonthPair, SpendingYears } from './spending-years.ts'

/** Twelve months, each beside the same month a year before; the running month is hatched. */
export const SpendingChart = ({ label, years }: { label: string; years: SpendingYears }) => {
  const { months, symbol } = years
  return (
    <div className={styles.chart}>
      <BarChart
        label={label}
        headings={['Month', 'Amount', 'A year before']}
        bars={months.map((pair) => toBar(pair, symbol))}
        formatTick={(value) => `${symbol}${formatTick(value)}`}
      />
      <ChartLegend
        before={yearText(months, 'monthBefore')}
        now={yearText(months, 'month')}
        running={`${formatMonth(months.at(-1)?.month ?? '')} so far`}
      />
    </div>
  )
}

/** The first and the last of the months, such as "Dec 2025 – Nov 2026". */
const yearText = (months: readonly MonthPair[], key: 'month' | 'monthBefore'): string =>
  `${formatMonth(months[0]?.[key] ?? '')} – ${formatMonth(months.at(-1)?.[key] ?? '')}`

/** A month's bar with the bar of the same month a year before. */
const toBar = (pair: MonthPair, symbol: string): Bar => ({
  key: pair.month,
  label: formatMonthName(pair.month),
  rowLabel: `${formatMonth(pair.month)}${pair.isRunning ? ' so far' : ''}`,
  value: pair.amount,
  valueText: '',
  rowValue: formatMoney(pair.amount, symbol),
  before: { value: pair.before, rowValue: formatMoney(pair.before, symbol) },
  isRunning: pair.isRunning,
  detail: monthDetail(pair, symbol),
})
