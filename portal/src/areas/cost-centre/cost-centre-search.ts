import type { ServiceItem } from '@counterfoil/contract/service-items'

/** What is searched for, column by column; empty: everything. */
export interface CostCentreSearch {
  readonly serviceItem: string
  readonly description: string
  readonly costCentre: string
}

export const NO_SEARCH: CostCentreSearch = { serviceItem: '', description: '', costCentre: '' }

/** The service items of which each column contains what is searched for in it, whatever the case (portal.md §5). */
export const found = (items: readonly ServiceItem[], search: CostCentreSearch): readonly ServiceItem[] => {
  const tests = [
    contains(search.serviceItem, ({ serviceItem }) => serviceItem),
    contains(search.description, ({ description }) => description),
    contains(search.costCentre, ({ costCentre }) => costCentre),
  ].filter((test) => test !== null)
  return tests.length === 0 ? items : items.filter((item) => tests.every((test) => test(item)))
}

const contains = (wanted: string, of: (item: ServiceItem) => string | null): ((item: ServiceItem) => boolean) | null => {
  if (wanted === '') return null
  const lower = wanted.toLowerCase()
  return (item) => (of(item) ?? '').toLowerCase().includes(lower)
}
