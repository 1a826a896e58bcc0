import { dashboard } from '@counterfoil/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** Query options: the customer's balance at the start of the period. A failure is only logged. */
export const openingBalanceQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'opening-balance'],
    queryFn: ({ signal }) => callApi(dashboard.openingBalance, { signal }),
    meta: { failure: 'log' },
  })

/** A year of spending and the year before it. */
const SPENDING_MONTHS = 24

/** Query options: what was invoiced in each of the last `SPENDING_MONTHS`, oldest first. A failure is only logged. */
export const spendingQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'spending'],
    queryFn: ({ signal }) => callApi(dashboard.spending, { query: { months: SPENDING_MONTHS }, signal }),
    meta: { failure: 'log' },
  })

/** Query options: the customer's bundles and their usage. A failure is only logged. */
export const bundlesQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'bundles'],
    queryFn: ({ signal }) => callApi(dashboard.bundles, { signal }),
    meta: { failure: 'log' },
  })

/** Query options: data used in each period, newest first. The server rejects it for all resellers but one. A failure is only logged. */
export const periodUsageQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'data-usage', 'periods'],
    queryFn: ({ signal }) => callApi(dashboard.dataUsageOfPeriods, { signal }),
    meta: { failure: 'log' },
  })

/** Query options: data used in the current month, by week. The server rejects it for all resellers but one. A failure is only logged. */
export const monthUsageQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'data-usage', 'month'],
    queryFn: ({ signal }) => callApi(dashboard.dataUsageOfMonth, { signal }),
    meta: { failure: 'log' },
  })
