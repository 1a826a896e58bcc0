import { dashboard } from '@counterfoil/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** What the customer owed when the period opened. All failures of this screen are only logged (portal.md §8). */
export const openingBalanceQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'opening-balance'],
    queryFn: ({ signal }) => callApi(dashboard.openingBalance, { signal }),
    meta: { failure: 'log' },
  })

/** The customer's bundles and what is used of each. */
export const bundlesQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'bundles'],
    queryFn: ({ signal }) => callApi(dashboard.bundles, { signal }),
    meta: { failure: 'log' },
  })

/** Data used in each period, newest first; refused for all resellers but one, so it is never asked for by others. */
export const periodUsageQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'data-usage', 'periods'],
    queryFn: ({ signal }) => callApi(dashboard.dataUsageOfPeriods, { signal }),
    meta: { failure: 'log' },
  })

/** Data used in the current month, by week; for the same reseller only. */
export const monthUsageQuery = () =>
  queryOptions({
    queryKey: ['dashboard', 'data-usage', 'month'],
    queryFn: ({ signal }) => callApi(dashboard.dataUsageOfMonth, { signal }),
    meta: { failure: 'log' },
  })
