import type { Day } from '@counterfoil/contract/kit/day'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { USAGE_PAGE_SIZE, type UsageRecord, type UsageSummary, usage } from '@counterfoil/contract/usage'
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { loadModule } from '../../api/load-module.ts'
import type { DownloadRequest } from './usage-download.ts'
import { toUsageFilter, type UsageView } from './usage-view.ts'

/** A record with a key that is unique on its page; the server's records have no id. */
export interface UsageRow extends UsageRecord {
  readonly key: string
}

/** A page of usage, with the number of all records of its filter. */
export interface UsagePage {
  readonly rows: readonly UsageRow[]
  readonly total: number
  readonly filter: UsageFilter
}

/** The sums of a filter. */
export interface ShownSummary extends UsageSummary {
  readonly filter: UsageFilter
}

/**
 * Query options: one page of usage records, filtered and sorted by the server. The page before stays visible until the new one is loaded.
 */
export const usageQuery = (view: UsageView, today: Day) => {
  const filter = toUsageFilter(view, today)
  const query = { ...filter, pageNumber: view.page, pageSize: USAGE_PAGE_SIZE, sort: view.sort, order: view.order }
  return queryOptions({
    queryKey: ['usage', 'list', query],
    queryFn: async ({ signal }): Promise<UsagePage> => {
      const { endUsageDetails, totalCount } = await callApi(usage.list, { query, signal })
      return { rows: endUsageDetails.map((record, index) => ({ ...record, key: String(index) })), total: totalCount, filter }
    },
    placeholderData: keepPreviousData,
    meta: { failure: 'banner' },
  })
}

/** Query options: the record types of all services. A failure is only logged. */
export const recordTypesQuery = () =>
  queryOptions({
    queryKey: ['usage', 'record-types'],
    queryFn: ({ signal }) => callApi(usage.recordTypes, { signal }),
    meta: { failure: 'log' },
  })

/** Query options: the months with usage and the cost centres. A failure is only logged. */
export const usageChoicesQuery = () =>
  queryOptions({
    queryKey: ['usage', 'filters'],
    queryFn: ({ signal }) => callApi(usage.filters, { signal }),
    meta: { failure: 'log' },
  })

/** Query options: the sums of a filter. Those of the filter before stay until they are loaded. A failure is shown in their place. */
export const usageSummaryQuery = (filter: UsageFilter) =>
  queryOptions({
    queryKey: ['usage', 'summary', filter],
    queryFn: async ({ signal }): Promise<ShownSummary> => ({ ...(await callApi(usage.summary, { query: filter, signal })), filter }),
    placeholderData: keepPreviousData,
    meta: { failure: 'inline' },
  })

/** Mutation options: downloads and saves every record of a filter as a CSV file. A failure is shown beside the button. */
export const usageDownloadMutation = () =>
  mutationOptions({
    mutationKey: ['usage', 'download'],
    mutationFn: async (request: DownloadRequest) => (await loadModule(() => import('./usage-download.ts'))).downloadUsage(request),
    meta: { failure: 'inline' },
  })
