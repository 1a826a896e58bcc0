import type { DataUsage } from '@counterfoil/contract/dashboard'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../format/format.ts'
import { formatTick } from '../../format/short-figure.ts'
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx'
import { keyed } from '../../ui/with-keys.ts'
import { Tile } from '../../ui/layout/tile.tsx'
import { monthUsageQuery, periodUsageQuery } from '../../api/dashboard.data.ts'
import styles from './dashboard.module.css'
import { Waiting } from './tile-placeholder.tsx'

/** At most the first five periods are drawn (portal.md §9). */
const PERIODS = 5

/** Data used in the latest periods, oldest first, as time runs. Only one reseller's customers ever see it. */
export const PeriodUsageTile = () => {
  const query = useQuery(periodUsageQuery())
  return <UsageTile title="Data usage" head="Period" query={query} usage={query.data?.slice(0, PERIODS).toReversed()} />
}

/** Data used in the current month. */
export const MonthUsageTile = () => {
  const query = useQuery(monthUsageQuery())
  return <UsageTile title="4G WAN data consumption" head="Part of the current month" query={query} usage={query.data} />
}

interface UsageTileProps {
  title: string
  head: string
  query: UseQueryResult<DataUsage[]>
  usage: readonly DataUsage[] | undefined
}

const UsageTile = ({ title, head, query, usage }: UsageTileProps) => {
  const wait = { isBusy: query.isFetching && !usage, isFailed: query.isError, onAgain: () => void query.refetch() }
  return (
    <Tile title={title} minHeight={wait.isFailed ? 0 : 286} aside={<span className={styles.muted}>Gigabytes</span>}>
      {!usage && <Waiting what={title} wait={wait} />}
      {usage?.length === 0 && <p className={styles.muted}>There are no data yet</p>}
      {usage && usage.length > 0 && (
        <BarChart
          label={title}
          heads={[head, 'Gigabytes']}
          bars={keyed(usage, ({ periodLabel }) => periodLabel).map(barOf)}
          formatTick={formatTick}
        />
      )}
    </Tile>
  )
}

const barOf = ({ key, item: { periodLabel, dataUsage } }: { key: string; item: DataUsage }): Bar => ({
  key,
  label: periodLabel,
  value: dataUsage,
  valueText: formatNumber(dataUsage),
  detail: `${periodLabel} · ${formatNumber(dataUsage)} GB`,
})
