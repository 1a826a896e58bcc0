import { queryOptions } from '@tanstack/react-query'
import type { MethodList, SavedMethodsModule } from '../providers/panel.ts'

/** The first part of all query keys of saved methods. */
export const METHODS_KEY = ['payment-methods'] as const

/** The query options of one list of methods, the cards or the bank accounts, which the provider's own module fetches. */
export const methodsQuery = <Method>({ kind, fetchMethods }: Pick<MethodList<Method>, 'kind' | 'fetchMethods'>) =>
  queryOptions({
    queryKey: [...METHODS_KEY, kind],
    queryFn: ({ signal }) => fetchMethods(signal),
    meta: { failure: 'banner' },
  })

/** The query options of the saved methods that can pay, fetched anew for each screen. A provider's own module fetches them. */
export const savedMethodsQuery = ({ fetchSavedMethods }: SavedMethodsModule) =>
  queryOptions({
    queryKey: [...METHODS_KEY, 'saved'],
    queryFn: ({ signal }) => fetchSavedMethods(signal),
    // Another screen may have added a method by the time that this list is shown again.
    gcTime: 0,
    meta: { failure: 'banner' },
  })
