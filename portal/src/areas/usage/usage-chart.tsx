import { type Day, daysBetween, type Span } from '@counterfoil/contract/kit/day'
import { MAX_USAGE_BARS_BY_DAY, type UsageBar } from '@counterfoil/contract/usage'
import { formatDay, formatMonth, formatMonthName, formatShortDay, formatShortMonth, todayUtc } from '../../format/format.ts'
import { formatCompactAmount, formatTick } from '../../format/chart-number.ts'
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx'
import { ChartLegend } from '../../ui/chart/chart-legend.tsx'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { ApiError, messageOf } from '../../api/call-api.ts'
import styles from './usage.module.css'
import type { ShownSummary } from './usage.data.ts'
import { exactPriceText, recordCountText, totalText } from './usage-texts.ts'

export interface UsageChartProps {
  /** The sums that are shown, and whether those of another filter are on their way. */
  readonly summary: ShownSummary | undefined
  readonly isLoading: boolean
  /** Why the sums could not be loaded; null while they can. */
  readonly error: Error | null
  readonly currencySymbol: string
  /** The last day that is asked for. */
  readonly dateTo: Day
  readonly onSelect: (span: Span) => void
  readonly onRetry: () => void
}

const BAR_HEIGHT = 96
const GRIDLINES = 3
const TILE_HEIGHT = 206
const LEGEND_HEIGHT = 28
/** More amounts than these would touch on a phone. */
const MAX_AMOUNTS = 6
/** More labels than these would touch where others are left out, because the last one ends with the plot. */
const MAX_LABELS = 5
const MONTHS_OF_A_YEAR = 12

/** The price of each day or month as a bar. A press on a bar narrows the filter to it. */
export const UsageChart = ({ summary, isLoading, error, currencySymbol, dateTo, onSelect, onRetry }: UsageChartProps) => {
  const isByDay = summary === undefined || isCountedByDay(summary)
  const title = `Price per ${isByDay ? 'day' : 'month'}`
  const minHeight = TILE_HEIGHT + (dateTo >= todayUtc() ? LEGEND_HEIGHT : 0)
  if (error !== null)
    return (
      <Tile title={title} minHeight={minHeight}>
        {error instanceof ApiError && error.code === 'too_many_records' ? (
          <p>{messageOf(error)}</p>
        ) : (
          <Unavailable subject="The sums" onRetry={onRetry} />
        )}
      </Tile>
    )
  const bars = summary?.bars ?? []
  const running = bars.find(isRunning)
  const select = (key: string): void => {
    const bar = bars.find(({ dateFrom }) => dateFrom === key)
    if (bar !== undefined) onSelect({ from: bar.dateFrom, to: bar.dateTo })
  }
  const total = isLoading || summary === undefined ? undefined : totalText(summary.price, currencySymbol)
  return (
    <Tile
      title={title}
      aside={
        total !== undefined && (
          <span>
            Total <strong className={styles.total}>{total}</strong>
          </span>
        )
      }
      minHeight={minHeight}
    >
      {bars.length > 0 && (
        <BarChart
          label={title}
          headings={[isByDay ? 'Day' : 'Month', 'Price']}
          bars={bars.map((bar, at) => toBar(bar, at, { isByDay, count: bars.length, currencySymbol }))}
          formatTick={(value) => `${currencySymbol}${formatTick(value)}`}
          barHeight={BAR_HEIGHT}
          gridlines={GRIDLINES}
          onPress={select}
        />
      )}
      {running && <ChartLegend running={`${isByDay ? formatShortDay(running.dateFrom) : formatMonth(running.dateFrom)} so far`} />}
      {isLoading && <SpinnerOverlay label="Loading the sums" isDimmed={bars.length > 0} />}
    </Tile>
  )
}

/** Whether the bars stand for days, because the filter's timeframe is short; else for months. */
const isCountedByDay = ({ filter }: ShownSummary): boolean => daysBetween(filter.dateFrom, filter.dateTo) < MAX_USAGE_BARS_BY_DAY

interface BarContext {
  readonly isByDay: boolean
  readonly count: number
  readonly currencySymbol: string
}

/**
 * The label below a bar. Within a year every month is named, without the year; else as many bars have one as fit on a phone, the others "".
 */
const labelOf = (day: Day, at: number, { isByDay, count }: BarContext): string => {
  if (!isByDay && count <= MONTHS_OF_A_YEAR) return formatMonthName(day)
  if (count > MAX_AMOUNTS && at % Math.ceil(count / MAX_LABELS) !== 0) return ''
  return isByDay ? formatShortDay(day) : formatShortMonth(day)
}

/** Whether the bar's days are not over yet, in UTC. */
const isRunning = ({ dateTo }: UsageBar): boolean => dateTo >= todayUtc()

/**
 * A day or a month as a bar of the chart, as high as its price. The tooltip and the chart's table have the exact price and the number of
 * records. `at` is the bar's place among the bars, from 0.
 */
const toBar = (bar: UsageBar, at: number, context: BarContext): Bar => {
  const { dateFrom, records, price } = bar
  const { isByDay, count, currencySymbol } = context
  const name = `${isByDay ? formatDay(dateFrom) : formatMonth(dateFrom)}${isRunning(bar) ? ' so far' : ''}`
  const exact = exactPriceText(price, currencySymbol)
  const value = Number(price)
  return {
    key: dateFrom,
    label: labelOf(dateFrom, at, context),
    rowLabel: name,
    value,
    isRunning: isRunning(bar),
    valueText: count <= MAX_AMOUNTS ? formatCompactAmount(value) : '',
    rowValue: `${exact}, ${recordCountText(records)}`,
    detail: `${name} · ${exact} · ${recordCountText(records)}`,
  }
}
