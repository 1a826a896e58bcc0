import { services } from '@counterfoil/contract/services'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** The services that the customer uses, by name. */
export const servicesQuery = () =>
  queryOptions({
    queryKey: ['services', 'list'],
    queryFn: ({ signal }) => callApi(services.list, { signal }),
    meta: { failure: 'banner' },
  })
