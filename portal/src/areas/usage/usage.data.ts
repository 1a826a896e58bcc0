import { type Day, type Span, timeframeDays } from '@counterfoil/contract/kit/day'
import { USAGE_PAGE_SIZE, type UsageRecord, usage } from '@counterfoil/contract/usage'
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { downloadUsage } from './usage-download.ts'
import type { UsageView } from './usage-view.ts'

/** A record, with a key that tells it from the others of its page: the server gives it none. */
export interface UsageRow extends UsageRecord {
  readonly key: string
}

/** A page of usage, and what it is a page of. */
export interface UsagePage {
  readonly rows: readonly UsageRow[]
  readonly total: number
  readonly span: Span
}

/** One page of usage; until it is there, the page before stays. */
export const usageQuery = ({ agreement, timeframe, service, connection, type, page, sort, order }: UsageView, today: Day) => {
  const span = timeframeDays(timeframe, today)
  const query = {
    dateFrom: span.from,
    dateTo: span.to,
    service,
    recordType: type,
    serviceItem: connection,
    agreement,
    pageNumber: page,
    pageSize: USAGE_PAGE_SIZE,
    sort,
    order,
  }
  return queryOptions({
    queryKey: ['usage', 'list', query],
    queryFn: async ({ signal }): Promise<UsagePage> => {
      const { endUsageDetails, totalCount } = await callApi(usage.list, { query, signal })
      return { rows: endUsageDetails.map((record, at) => ({ ...record, key: String(at) })), total: totalCount, span }
    },
    placeholderData: keepPreviousData,
    meta: { failure: 'banner' },
  })
}

/** The record types of all services. Their failure is only logged (portal.md §8). */
export const recordTypesQuery = () =>
  queryOptions({
    queryKey: ['usage', 'record-types'],
    queryFn: ({ signal }) => callApi(usage.recordTypes, { signal }),
    meta: { failure: 'log' },
  })

/** Saves every record of a filter as a file; a failure is told beside the button. */
export const usageDownloadMutation = () =>
  mutationOptions({
    mutationKey: ['usage', 'download'],
    mutationFn: downloadUsage,
    meta: { failure: 'inline' },
  })
