import { queryOptions } from '@tanstack/react-query'
import type { MethodList, SavedMethodsModule } from '../providers/panel.ts'

/** Every query of saved methods has a key that begins with this. */
export const METHODS_KEY = ['payment-methods'] as const

/** The methods of a list. */
export const methodsQuery = <Method>({ kind, fetchMethods }: Pick<MethodList<Method>, 'kind' | 'fetchMethods'>) =>
  queryOptions({
    queryKey: [...METHODS_KEY, kind],
    queryFn: ({ signal }) => fetchMethods(signal),
    meta: { failure: 'banner' },
  })

/** The methods that can pay. */
export const savedMethodsQuery = ({ fetchSavedMethods }: SavedMethodsModule) =>
  queryOptions({
    queryKey: [...METHODS_KEY, 'saved'],
    queryFn: ({ signal }) => fetchSavedMethods(signal),
    // Another screen may have added one by the time this is shown again.
    gcTime: 0,
    meta: { failure: 'banner' },
  })
