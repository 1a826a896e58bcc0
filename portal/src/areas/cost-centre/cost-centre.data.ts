import { type ServiceItem, serviceItems } from '@counterfoil/contract/service-items'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { ApiError, callApi } from '../../api/call-api.ts'

/**
 * The query options of this month's usage cost of each item of a service. The page shows a failure below the grid, instead of the banner.
 */
export const usageOfMonthQuery = (service: number) =>
  queryOptions({
    queryKey: ['service-items', 'usage', service],
    queryFn: ({ signal }) => callApi(serviceItems.usage, { query: { service }, signal }),
    meta: { failure: 'inline' },
  })

export type CostCentreTexts = Pick<ServiceItem, 'description' | 'costCentre'>

export interface CostCentreUpdate extends Partial<CostCentreTexts> {
  /** What the sent fields said before: the server refuses to overwrite anything else. */
  readonly basedOn: Partial<CostCentreTexts>
}

/** The request's body: the typed fields that differ from what the user saw, and in `basedOn` what the user saw in them. */
export const toUpdate = (typed: Partial<CostCentreTexts>, seen: CostCentreTexts): CostCentreUpdate => {
  const touched = (['description', 'costCentre'] as const).filter((name) => typed[name] !== undefined && typed[name] !== seen[name])
  const pick = (texts: Partial<CostCentreTexts>) => Object.fromEntries(touched.map((name) => [name, texts[name] ?? null]))
  return { ...pick(typed), basedOn: pick(seen) }
}

/** Whether the server refused an update because somebody else changed the service item meanwhile. */
export const isChangedMeanwhile = (error: unknown): boolean => error instanceof ApiError && error.code === 'record_changed'

/**
 * Updates description, cost centre or both of a service item, null for empty, in every loaded list.
 * When somebody changed it meanwhile, the lists are loaded again before the error is told.
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
    onError: async (error, _update, _onMutate, { client }) => {
      if (isChangedMeanwhile(error)) await client.invalidateQueries({ queryKey: ['service-items', 'list'] })
    },
    meta: { failure: 'log' },
  })
