import { services } from '@counterfoil/contract/services'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** Query options: the services that the customer uses, by name. A failure shows the banner. */
export const servicesQuery = () =>
  queryOptions({
    queryKey: ['services', 'list'],
    queryFn: ({ signal }) => callApi(services.list, { signal }),
    meta: { failure: 'banner' },
  })
