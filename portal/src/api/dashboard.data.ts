import { dashboard } from '@counterfoil/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** The customer's balance at the start of the period. Failures of the dashboard are only logged. */
export const openingBalanceQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'opening-balance'],
    queryFn: ({ signal }) => callApi(dashboard.openingBalance, { signal }),
    meta: { failure: 'log' },
  })

/** A year of spending and the year before it. */
const SPENDING_MONTHS = 24

/** What was invoiced in each of the last 24 months, oldest first. */
export const spendingQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'spending'],
    queryFn: ({ signal }) => callApi(dashboard.spending, { query: { months: SPENDING_MONTHS }, signal }),
    meta: { failure: 'log' },
  })

/** The customer's bundles and their usage. */
export const bundlesQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'bundles'],
    queryFn: ({ signal }) => callApi(dashboard.bundles, { signal }),
    meta: { failure: 'log' },
  })

/** Data used in each period, newest first. One reseller only; the server rejects it for others. */
export const periodUsageQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'data-usage', 'periods'],
    queryFn: ({ signal }) => callApi(dashboard.dataUsageOfPeriods, { signal }),
    meta: { failure: 'log' },
  })

/** Data used in the current month, by week. The same reseller only. */
export const monthUsageQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'data-usage', 'month'],
    queryFn: ({ signal }) => callApi(dashboard.dataUsageOfMonth, { signal }),
    meta: { failure: 'log' },
  })
