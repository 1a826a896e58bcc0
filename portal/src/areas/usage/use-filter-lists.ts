import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { agreementsQuery } from '../../api/agreements.data.ts'
import { serviceItemsQuery } from '../../api/service-items.data.ts'
import { servicesQuery } from '../../api/services.data.ts'
import { recordTypesQuery, usageChoicesQuery } from './usage.data.ts'
import { existingIdOrAll, recordTypesOf, type UsageFilterLists } from './filter-options.ts'

/** The options of the filters as far as they are loaded. Service items and record types are those of the service. */
export const useUsageFilterLists = (requestedService: number): UsageFilterLists => {
  const agreements = useQuery(agreementsQuery()).data
  const services = useQuery(servicesQuery()).data
  const service = existingIdOrAll(services, requestedService)
  const serviceItems = useQuery(serviceItemsQuery(service)).data
  const allRecordTypes = useQuery(recordTypesQuery()).data
  const choices = useQuery(usageChoicesQuery()).data
  return useMemo(
    () => ({ agreements, services, serviceItems, recordTypes: recordTypesOf(allRecordTypes, service), choices }),
    [agreements, services, serviceItems, allRecordTypes, choices, service],
  )
}
