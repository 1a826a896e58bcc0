import { agreements } from '@counterfoil/contract/agreements'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** Query options: the customer's agreements, by name. A failure shows the banner. */
export const agreementsQuery = () =>
  queryOptions({
    queryKey: ['agreements', 'list'],
    queryFn: ({ signal }) => callApi(agreements.list, { signal }),
    meta: { failure: 'banner' },
  })
