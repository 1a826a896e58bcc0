import { serviceItems } from '@counterfoil/contract/service-items'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/**
 * The customer's service items, by what they are called.
 * @param service the id of the service to keep to; 0 for all
 */
export const serviceItemsQuery = (service: number) =>
  queryOptions({
    queryKey: ['service-items', 'list', service],
    queryFn: ({ signal }) => callApi(serviceItems.list, { query: service === 0 ? {} : { service }, signal }),
    meta: { failure: 'banner' },
  })
