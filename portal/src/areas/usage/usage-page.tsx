import { timeframeDays } from '@counterfoil/contract/kit/day'
import { USAGE_PAGE_SIZE } from '@counterfoil/contract/usage'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useAccount } from '../../shell/account.tsx'
import { AskFailed, messageOf } from '../../api/call-api.ts'
import { todayUtc } from '../../format/calendar.ts'
import { Page } from '../../shell/page.tsx'
import { GridFrame } from '../../ui/grid/grid-frame.tsx'
import { pageCount } from '../../ui/grid/pagination-model.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { DownloadUsage } from './download-usage-button.tsx'
import styles from './usage.module.css'
import { type UsageRow, usageQuery } from './usage.data.ts'
import { possible } from './filter-options.ts'
import { usageColumns } from './usage-columns.tsx'
import { UsageFilters } from './usage-filters.tsx'
import { filtered, sortedBy, sortOf } from './usage-view.ts'
import { foundWords, pageWords } from './usage-texts.ts'
import { useUsageLists } from './use-filter-lists.ts'
import { useUsageView } from './use-usage-view.ts'

const NONE: readonly UsageRow[] = []

/** `/usage`: the records of a timeframe, filtered, sorted and paged by the server; the whole of it is in the address. */
export const UsagePage = () => {
  const { look } = useAccount()
  const showsCostCentre = look.flags.endShowUsageCostCentre
  const [asked, show] = useUsageView()
  const lists = useUsageLists(asked.service)
  const view = possible(asked, lists, showsCostCentre)
  const today = todayUtc()
  const { data, isPlaceholderData, isError, error, refetch } = useQuery(usageQuery(view, today))
  const columns = useMemo(() => usageColumns(look.currencySymbol, showsCostCentre), [look.currencySymbol, showsCostCentre])

  const total = data?.total ?? 0
  const lastPage = pageCount(total, USAGE_PAGE_SIZE)
  const isBehindTheEnd = data !== undefined && !isPlaceholderData && view.page > lastPage
  useEffect(() => {
    if (isBehindTheEnd) show({ ...view, page: lastPage }, true)
  })

  return (
    <Page
      title="Usage"
      aside={
        <DownloadUsage
          filter={view}
          span={timeframeDays(view.timeframe, today)}
          serviceName={lists.services?.find(({ id }) => id === view.service)?.name}
          total={total}
        />
      }
    >
      <UsageFilters filter={view} lists={lists} onChange={(change) => show(filtered(view, change))} />
      <div className={styles.found}>
        <output>{data && foundWords(data)}</output>
        <span>{data && pageWords(view.page, total, USAGE_PAGE_SIZE)}</span>
      </div>
      <div className={styles.records}>
        <GridFrame
          label="Usage"
          columns={columns}
          rows={data?.rows ?? NONE}
          rowKey={({ key }) => key}
          sort={sortOf(view)}
          onSort={(key) => show(sortedBy(view, key))}
          page={view.page}
          pageSize={USAGE_PAGE_SIZE}
          total={total}
          onPage={(page) => show({ ...view, page })}
          busy={isPlaceholderData || isBehindTheEnd || (data === undefined && !isError)}
          empty={isError ? <NotThere error={error} onAgain={() => void refetch()} /> : 'There are no data yet'}
        />
      </div>
    </Page>
  )
}

/** Why there is no page: in the server's words where it declined this very question, else with a way to ask again. */
const NotThere = ({ error, onAgain }: { error: Error; onAgain: () => void }) =>
  error instanceof AskFailed && error.status === 400 ? <p>{messageOf(error)}</p> : <Unavailable what="Usage" onAgain={onAgain} />
