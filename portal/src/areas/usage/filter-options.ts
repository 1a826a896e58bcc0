import type { Agreement } from '@counterfoil/contract/agreements'
import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import type { RecordType, UsageFilterChoices } from '@counterfoil/contract/usage'
import type { Option } from '../../ui/form/select.tsx'
import type { UsageView } from './usage-view.ts'

/** The options of the filters; undefined while a list is loading. */
export interface UsageFilterLists {
  readonly agreements: readonly Agreement[] | undefined
  readonly services: readonly Service[] | undefined
  /** Of the selected service, or of all. */
  readonly serviceItems: readonly ServiceItem[] | undefined
  /** Those of the chosen service, or of all. */
  readonly recordTypes: readonly RecordType[] | undefined
  /** The months with usage and the cost centres. */
  readonly choices: UsageFilterChoices | undefined
}

/** The record types of a service; of all services for 0. */
export const recordTypesOf = (types: readonly RecordType[] | undefined, service: number): readonly RecordType[] | undefined =>
  service === 0 ? types : types?.filter((type) => type.serviceId === service)

/** The id if the list has it, else 0. While the list is loading, the id stays. */
export const existingIdOrAll = (list: readonly { readonly id: number }[] | undefined, id: number): number =>
  list === undefined || list.some((item) => item.id === id) ? id : 0

/**
 * The view with unknown ids reset to all, from the first page.
 * A filter by cost centre falls back to all and a sort by it to the date when the brand hides that column (USG-06, USG-08).
 */
export const withoutForbiddenFilters = (view: UsageView, lists: UsageFilterLists, showsCostCentre: boolean): UsageView => {
  const ids = {
    agreement: existingIdOrAll(lists.agreements, view.agreement),
    service: existingIdOrAll(lists.services, view.service),
    serviceItem: existingIdOrAll(lists.serviceItems, view.serviceItem),
    recordType: existingIdOrAll(lists.recordTypes, view.recordType),
  }
  const areIdsKnown = (Object.keys(ids) as (keyof typeof ids)[]).every((name) => ids[name] === view[name])
  const isHidden = !showsCostCentre && view.costCentre !== ''
  const sort = view.sort === 'costCentre' && !showsCostCentre ? 'date' : view.sort
  if (areIdsKnown && !isHidden && sort === view.sort) return view
  return { ...view, ...ids, costCentre: showsCostCentre ? view.costCentre : '', sort, page: areIdsKnown && !isHidden ? view.page : 1 }
}

/** Before the name of a cost centre in the id of its option, so that no name is the id of "All Cost Centres". */
const NAME_MARK = '='

/** The name of the cost centre that the option's id stands for; "" for all. */
export const costCentreOfOption = (id: string): string => (id.startsWith(NAME_MARK) ? id.slice(NAME_MARK.length) : '')

/** The id of a cost centre's option: `all` for "", so that no name is taken for it. */
export const optionOfCostCentre = (name: string): string => (name === '' ? 'all' : NAME_MARK + name)

/** "All Cost Centres", those that have usage, and the chosen one. */
export const costCentreOptions = (names: readonly string[] | undefined, chosen: string): readonly Option[] => {
  const all = chosen === '' || names?.includes(chosen) ? (names ?? []) : [...(names ?? []), chosen]
  return [{ id: 'all', label: 'All Cost Centres' }, ...all.map((name) => ({ id: optionOfCostCentre(name), label: name }))]
}

/** The options of a filter, "All …" first. Equal names get a detail to tell them apart. */
export const filterOptions = <Item extends { readonly id: number }>(
  allLabel: string,
  items: readonly Item[] | undefined,
  nameOf: (item: Item) => string,
  detailOf: (item: Item) => string = () => '',
): readonly Option[] => {
  const nameCounts = new Map<string, number>()
  for (const item of items ?? []) nameCounts.set(nameOf(item), (nameCounts.get(nameOf(item)) ?? 0) + 1)
  const labelOf = (item: Item): string => ((nameCounts.get(nameOf(item)) ?? 0) > 1 ? `${nameOf(item)} · ${detailOf(item)}` : nameOf(item))
  return [{ id: '0', label: allLabel }, ...(items ?? []).map((item) => ({ id: String(item.id), label: labelOf(item) }))]
}
