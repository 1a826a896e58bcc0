import { serviceItems } from '@counterfoil/contract/service-items'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/**
 * Query options: the customer's service items, sorted by name. A failure shows the banner.
 * @param service the id of a service to filter by; 0 for all
 */
export const serviceItemsQuery = (service: number) =>
  queryOptions({
    queryKey: ['service-items', 'list', service],
    queryFn: ({ signal }) => callApi(serviceItems.list, { query: service === 0 ? {} : { service }, signal }),
    meta: { failure: 'banner' },
  })
