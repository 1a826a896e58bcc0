import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { agreementsQuery } from '../../api/agreements.data.ts'
import { serviceItemsQuery } from '../../api/service-items.data.ts'
import { servicesQuery } from '../../api/services.data.ts'
import { recordTypesQuery } from './usage.data.ts'
import { idIn, typesOf, type UsageLists } from './filter-options.ts'

/** The lists behind the filters, as far as they are there; connections and types are those of the service. */
export const useUsageLists = (askedService: number): UsageLists => {
  const agreements = useQuery(agreementsQuery()).data
  const services = useQuery(servicesQuery()).data
  const service = idIn(services, askedService)
  const connections = useQuery(serviceItemsQuery(service)).data
  const allTypes = useQuery(recordTypesQuery()).data
  return useMemo(
    () => ({ agreements, services, connections, types: typesOf(allTypes, service) }),
    [agreements, services, connections, allTypes, service],
  )
}
