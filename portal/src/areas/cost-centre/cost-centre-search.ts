import type { ServiceItem } from '@counterfoil/contract/service-items'

/** The search text of each column; "" matches everything. */
export interface CostCentreSearch {
  readonly serviceItem: string
  readonly description: string
  readonly costCentre: string
}

export const EMPTY_SEARCH: CostCentreSearch = { serviceItem: '', description: '', costCentre: '' }

/** The service items of which each column contains its search text, ignoring case (CC-01). */
export const filterServiceItems = (items: readonly ServiceItem[], search: CostCentreSearch): readonly ServiceItem[] => {
  const tests = [
    toColumnTest(search.serviceItem, ({ serviceItem }) => serviceItem),
    toColumnTest(search.description, ({ description }) => description),
    toColumnTest(search.costCentre, ({ costCentre }) => costCentre),
  ].filter((test) => test !== null)
  return tests.length === 0 ? items : items.filter((item) => tests.every((test) => test(item)))
}

/** A test whether a service item's text contains the search text, ignoring case; null when the search text is empty. */
const toColumnTest = (searchText: string, textOf: (item: ServiceItem) => string | null): ((item: ServiceItem) => boolean) | null => {
  if (searchText === '') return null
  const lowerCaseText = searchText.toLowerCase()
  return (item) => (textOf(item) ?? '').toLowerCase().includes(lowerCaseText)
}
