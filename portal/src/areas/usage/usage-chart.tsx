import { type Day, daysBetween, type Span } from '@counterfoil/contract/kit/day'
import { MAX_USAGE_BARS_BY_DAY, type UsageBar } from '@counterfoil/contract/usage'
import {
  formatCompactAmount,
  formatDay,
  formatMonth,
  formatMonthName,
  formatShortDay,
  formatShortMonth,
  formatTick,
  todayUtc,
} from '../../format/format.ts'
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { ApiError, messageOf } from '../../api/call-api.ts'
import styles from './usage.module.css'
import type { ShownSummary } from './usage.data.ts'
import { exactPriceText, recordCountText } from './usage-texts.ts'

export interface UsageChartProps {
  /** The sums that are shown, and whether those of another filter are on their way. */
  readonly summary: ShownSummary | undefined
  readonly isLoading: boolean
  /** Why the sums could not be loaded; null while they can. */
  readonly error: Error | null
  readonly currencySymbol: string
  readonly onSelect: (span: Span) => void
  readonly onRetry: () => void
}

const BAR_HEIGHT = 96
const GRIDLINES = 3
const TILE_HEIGHT = 206
/** More labels than these would touch on a phone, and more amounts. */
const MAX_LABELS = 6
const MONTHS_OF_A_YEAR = 12

/** The price of each day or month as a bar. A press on a bar narrows the filter to it. */
export const UsageChart = ({ summary, isLoading, error, currencySymbol, onSelect, onRetry }: UsageChartProps) => {
  const isByDay = summary === undefined || isCountedByDay(summary)
  const title = `Price per ${isByDay ? 'day' : 'month'}`
  if (error !== null)
    return (
      <Tile title={title} minHeight={TILE_HEIGHT}>
        {error instanceof ApiError && error.code === 'too_many_records' ? (
          <p>{messageOf(error)}</p>
        ) : (
          <Unavailable subject="The sums" onRetry={onRetry} />
        )}
      </Tile>
    )
  const bars = summary?.bars ?? []
  const select = (key: string): void => {
    const bar = bars.find(({ dateFrom }) => dateFrom === key)
    if (bar !== undefined) onSelect({ from: bar.dateFrom, to: bar.dateTo })
  }
  const total = isLoading || summary === undefined ? undefined : exactPriceText(summary.price, currencySymbol)
  return (
    <Tile title={title} aside={<span className={styles.total}>{total}</span>} minHeight={TILE_HEIGHT}>
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
      {isLoading && <SpinnerOverlay label="Loading the sums" isDimmed={bars.length > 0} />}
    </Tile>
  )
}

const isCountedByDay = ({ filter }: ShownSummary): boolean => daysBetween(filter.dateFrom, filter.dateTo) < MAX_USAGE_BARS_BY_DAY

interface BarContext {
  readonly isByDay: boolean
  readonly count: number
  readonly currencySymbol: string
}

/** Within a year a month needs no year; with one, six would touch on a phone. */
const labelOf = (day: Day, isByDay: boolean, count: number): string => {
  if (isByDay) return formatShortDay(day)
  return count <= MONTHS_OF_A_YEAR ? formatMonthName(day) : formatShortMonth(day)
}

const toBar = ({ dateFrom, dateTo, records, price }: UsageBar, at: number, { isByDay, count, currencySymbol }: BarContext): Bar => {
  const isRunning = dateTo >= todayUtc()
  const name = `${isByDay ? formatDay(dateFrom) : formatMonth(dateFrom)}${isRunning ? ' so far' : ''}`
  const exact = exactPriceText(price, currencySymbol)
  const value = Number(price)
  return {
    key: dateFrom,
    label: at % Math.ceil(count / MAX_LABELS) === 0 ? labelOf(dateFrom, isByDay, count) : '',
    rowLabel: name,
    value,
    isRunning,
    valueText: count <= MAX_LABELS ? formatCompactAmount(value) : '',
    rowValue: `${exact}, ${recordCountText(records)}`,
    detail: `${name} · ${exact} · ${recordCountText(records)}`,
  }
}
