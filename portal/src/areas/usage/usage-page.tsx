import { USAGE_PAGE_SIZE } from '@counterfoil/contract/usage'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useAccount } from '../../shell/account/account.tsx'
import { ApiError, messageOf } from '../../api/call-api.ts'
import { todayUtc } from '../../format/format.ts'
import { Page } from '../../shell/page.tsx'
import { GridFrame } from '../../ui/grid/grid-frame.tsx'
import { pageCount } from '../../ui/grid/pagination-model.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { CopyLinkButton } from './copy-link-button.tsx'
import { DownloadUsageButton } from './download-usage-button.tsx'
import styles from './usage.module.css'
import { type UsageRow, usageQuery, usageSummaryQuery } from './usage.data.ts'
import { withoutForbiddenFilters } from './filter-options.ts'
import { usageColumns } from './usage-columns.tsx'
import { UsageChart } from './usage-chart.tsx'
import { UsageFilters } from './usage-filters.tsx'
import { usageSums } from './usage-sums.ts'
import { timeframeFromRange } from './usage-timeframe.ts'
import { gridSortOf, toUsageFilter, type UsageView, withFilterChange, withSort } from './usage-view.ts'
import { resultText, pageText } from './usage-texts.ts'
import { useUsageFilterLists } from './use-filter-lists.ts'
import { type ChangeView, useUsageView } from './use-usage-view.ts'

const NO_ROWS: readonly UsageRow[] = []

/** `/usage`: the usage records of a timeframe, filtered, sorted and paged by the server. The address holds the whole view (USG-08). */
export const UsagePage = () => {
  const { branding, customer } = useAccount()
  const { currencySymbol } = customer
  const showsCostCentre = branding.flags.endShowUsageCostCentre
  const [requestedView, changeRequestedView] = useUsageView()
  const lists = useUsageFilterLists(requestedView.service)
  const toAllowed = (requested: UsageView): UsageView => withoutForbiddenFilters(requested, lists, showsCostCentre)
  const view = toAllowed(requestedView)
  const changeView = (change: ChangeView, replace?: boolean): void =>
    changeRequestedView((requested) => change(toAllowed(requested)), replace)
  const today = todayUtc()
  const { data, isPlaceholderData, isError, error, refetch } = useQuery(usageQuery(view, today))
  const columns = useMemo(() => usageColumns(currencySymbol, showsCostCentre), [currencySymbol, showsCostCentre])

  const filter = toUsageFilter(view, today)
  const total = data?.total ?? 0
  // The rows come first: the sums are asked for when they are there.
  const sums = useQuery({ ...usageSummaryQuery(filter), enabled: data !== undefined && !isPlaceholderData && total > 0 })
  const isSummed = sums.data !== undefined && !sums.isPlaceholderData
  const lastPage = pageCount(total, USAGE_PAGE_SIZE)
  const isPastLastPage = data !== undefined && !isPlaceholderData && view.page > lastPage
  useEffect(() => {
    if (isPastLastPage) changeView((current) => ({ ...current, page: Math.min(current.page, lastPage) }), true)
  })

  return (
    <Page
      title="Usage"
      aside={
        <DownloadUsageButton filter={filter} serviceName={lists.services?.find(({ id }) => id === view.service)?.name} total={total} />
      }
    >
      <UsageFilters
        selection={view}
        lists={lists}
        today={today}
        showsCostCentre={showsCostCentre}
        onChange={(change) => changeView((current) => withFilterChange(current, change))}
      />
      {(data === undefined ? !isError : total > 0) && (
        <div className={styles.chart}>
          <UsageChart
            summary={sums.data}
            isLoading={!isSummed}
            error={sums.error}
            currencySymbol={currencySymbol}
            dateTo={filter.dateTo}
            onSelect={(span) => changeView((current) => withFilterChange(current, timeframeFromRange(span)))}
            onRetry={() => void sums.refetch()}
          />
        </div>
      )}
      <GridFrame
        label="Usage"
        summary={
          <span className={styles.summary}>
            <output>{data && resultText(data)}</output>
            <span>{data && pageText(view.page, total, USAGE_PAGE_SIZE)}</span>
            <CopyLinkButton />
          </span>
        }
        columns={columns}
        rows={data?.rows ?? NO_ROWS}
        rowKey={({ key }) => key}
        sort={gridSortOf(view)}
        onSort={(key) => changeView((current) => withSort(current, key))}
        page={view.page}
        pageSize={USAGE_PAGE_SIZE}
        total={total}
        sums={usageSums(total, isSummed ? sums.data : undefined, sums.isError, currencySymbol)}
        onPage={(page) => changeView((current) => ({ ...current, page }))}
        busy={isPlaceholderData || isPastLastPage || (data === undefined && !isError)}
        empty={isError ? <LoadError error={error} onRetry={() => void refetch()} /> : 'There are no data yet'}
      />
    </Page>
  )
}

/** The server's message when it rejected the query, else "could not be loaded" with a retry. */
const LoadError = ({ error, onRetry }: { error: Error; onRetry: () => void }) =>
  error instanceof ApiError && (error.code === 'invalid_input' || error.code === 'too_many_records') ? (
    <p>{messageOf(error)}</p>
  ) : (
    <Unavailable subject="Usage" onRetry={onRetry} />
  )
