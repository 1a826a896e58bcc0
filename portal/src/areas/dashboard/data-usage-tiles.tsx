import type { DataUsage } from '@counterfoil/contract/dashboard'
import type { Span } from '@counterfoil/contract/kit/day'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { formatNumber, formatPeriod, formatShortDayRange } from '../../format/format.ts'
import { formatTick } from '../../format/chart-number.ts'
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { monthUsageQuery, periodUsageQuery } from '../../api/dashboard.data.ts'
import styles from './dashboard.module.css'
import { TilePlaceholder } from './tile-placeholder.tsx'

/** The number of periods in the chart (DASH-06). */
const MAX_PERIODS = 5

/** Data used in the latest periods, oldest first. Only customers of reseller 2204 see it. */
export const PeriodUsageTile = () => {
  const query = useQuery(periodUsageQuery())
  return (
    <UsageTile
      title="Data usage"
      periodHeading="Period"
      formatSpan={formatPeriod}
      query={query}
      usage={query.data?.slice(0, MAX_PERIODS).toReversed()}
    />
  )
}

/** Data used in the current month, a bar for each part of the month. Only customers of one reseller see it. */
export const MonthUsageTile = () => {
  const query = useQuery(monthUsageQuery())
  return (
    <UsageTile
      title="4G WAN data consumption"
      periodHeading="Part of the current month"
      formatSpan={formatShortDayRange}
      query={query}
      usage={query.data}
    />
  )
}

interface UsageTileProps {
  title: string
  periodHeading: string
  formatSpan: (span: Span) => string
  query: UseQueryResult<DataUsage[]>
  usage: readonly DataUsage[] | undefined
}

/** A tile with usage in gigabytes as a bar chart, or loading, failed or without data. */
const UsageTile = ({ title, periodHeading, formatSpan, query, usage }: UsageTileProps) => {
  const loadState = { isBusy: query.isFetching && !usage, isFailed: query.isError, onRetry: () => void query.refetch() }
  return (
    <Tile title={title} minHeight={loadState.isFailed ? 0 : 286} aside={<span className={styles.muted}>Gigabytes</span>}>
      {!usage && <TilePlaceholder subject={title} loadState={loadState} />}
      {usage?.length === 0 && <p className={styles.muted}>There are no data yet</p>}
      {usage && usage.length > 0 && (
        <BarChart
          label={title}
          headings={[periodHeading, 'Gigabytes']}
          bars={usage.map((part) => toBar(part, formatSpan))}
          formatTick={formatTick}
        />
      )}
    </Tile>
  )
}

/** A bar of a period or a part of one, in gigabytes. */
const toBar = ({ periodStart, periodEnd, dataUsage }: DataUsage, formatSpan: (span: Span) => string): Bar => {
  const label = formatSpan({ from: periodStart, to: periodEnd })
  const valueText = formatNumber(dataUsage)
  return { key: periodStart, label, value: dataUsage, valueText, detail: `${label} · ${valueText} GB` }
}
