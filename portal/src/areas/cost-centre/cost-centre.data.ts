import { type ServiceItem, serviceItems } from '@counterfoil/contract/service-items'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'

export interface CostCentreUpdate {
  readonly description: string | null
  readonly costCentre: string | null
}

/**
 * Writes description and cost centre of a service item; null empties one. Every list of service items that is loaded shows them then.
 * A failure is only logged (portal.md §8); the dialog stays open and says that nothing was kept.
 */
export const updateServiceItemMutation = (id: number) =>
  mutationOptions({
    mutationKey: ['service-items', 'update', id],
    mutationFn: (body: CostCentreUpdate) => callApi(serviceItems.update, { params: { id }, body }),
    // A list on its way may have been read before the text was written: come later, it would put the old one back.
    onMutate: (_update, { client }) => client.cancelQueries({ queryKey: ['service-items', 'list'] }),
    onSuccess: (saved, _update, _onMutate, { client }) =>
      client.setQueriesData<ServiceItem[]>({ queryKey: ['service-items', 'list'] }, (items) =>
        items?.map((item) => (item.id === saved.id ? saved : item)),
      ),
    meta: { failure: 'log' },
  })
