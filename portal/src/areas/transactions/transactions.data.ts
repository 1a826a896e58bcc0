import { agreements } from '@counterfoil/contract/agreements'
import { transactions } from '@counterfoil/contract/transactions'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'

/** Query options: the billing periods of an agreement, newest first. A failure shows the banner. */
export const periodsQuery = (agreement: number) =>
  queryOptions({
    queryKey: ['agreements', 'periods', agreement],
    queryFn: ({ signal }) => callApi(agreements.periods, { params: { id: agreement }, signal }),
    meta: { failure: 'banner' },
  })

/** Query options: the transactions of a billing period. The previous period's stay visible until they are loaded. */
export const transactionsQuery = (period: number) =>
  queryOptions({
    queryKey: ['transactions', 'list', period],
    queryFn: ({ signal }) => callApi(transactions.list, { query: { period }, signal }),
    placeholderData: keepPreviousData,
    meta: { failure: 'banner' },
  })

/** Query options: the reseller's labels for extra fields, loaded once. Without them the columns use default names. */
export const extraFieldLabelsQuery = () =>
  queryOptions({
    queryKey: ['transactions', 'extra-field-labels'],
    queryFn: ({ signal }) => callApi(transactions.extraFieldLabels, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'banner' },
  })
