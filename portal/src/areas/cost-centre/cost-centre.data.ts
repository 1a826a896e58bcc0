import { type ServiceItem, serviceItems } from '@counterfoil/contract/service-items'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'

export interface CostCentreUpdate {
  readonly description: string | null
  readonly costCentre: string | null
}

/**
 * Updates description and cost centre of a service item, null for empty, in every loaded list.
 * A failure is only logged, because the dialog stays open and shows it.
 */
export const updateServiceItemMutation = (id: number) =>
  mutationOptions({
    mutationKey: ['service-items', 'update', id],
    mutationFn: (body: CostCentreUpdate) => callApi(serviceItems.update, { params: { id }, body }),
    // A list request that is under way can carry the old text and would overwrite the new one.
    onMutate: (_update, { client }) => client.cancelQueries({ queryKey: ['service-items', 'list'] }),
    onSuccess: (saved, _update, _onMutate, { client }) =>
      client.setQueriesData<ServiceItem[]>({ queryKey: ['service-items', 'list'] }, (items) =>
        items?.map((item) => (item.id === saved.id ? saved : item)),
      ),
    meta: { failure: 'log' },
  })
