import { expect, test } from 'vitest'
import {
  costCentreOfOption,
  costCentreOptions,
  filterOptions,
  withoutForbiddenFilters,
  recordTypesOf,
  type UsageFilterLists,
} from './filter-options.ts'
import { DEFAULT_VIEW, type UsageView } from './usage-view.ts'

const item = (id: number, serviceItem: string) => ({ id, serviceId: 3, serviceItem, description: null, costCentre: null })
const lists: UsageFilterLists = {
  agreements: [{ id: 1, agreementName: 'Main' }],
  services: [{ id: 3, name: '4G Data', serviceItemLabel: 'Connection' }],
  serviceItems: [item(5, '0491 570 010')],
  recordTypes: [{ id: 7, serviceId: 3, description: 'SMS' }],
  choices: undefined,
}
const NO_LISTS: UsageFilterLists = {
  agreements: undefined,
  services: undefined,
  serviceItems: undefined,
  recordTypes: undefined,
  choices: undefined,
}
const requestedView: UsageView = { ...DEFAULT_VIEW, agreement: 1, service: 3, serviceItem: 5, recordType: 7, page: 4 }

test('[USG-08] what the customer has is kept, and so is everything while the lists are on their way', () => {
  expect(withoutForbiddenFilters(requestedView, lists, true)).toBe(requestedView)
  const unknown = { ...requestedView, agreement: 99, service: 98, serviceItem: 97, recordType: 96 }
  expect(withoutForbiddenFilters(unknown, NO_LISTS, true)).toBe(unknown)
})

test.each(['agreement', 'service', 'serviceItem', 'recordType'] as const)(
  '[USG-08] a %s that the customer does not have falls back to all, from page 1, and leaves the rest',
  (name) => {
    expect(withoutForbiddenFilters({ ...requestedView, [name]: 99 }, lists, true)).toEqual({ ...requestedView, [name]: 0, page: 1 })
  },
)

test('[USG-06] a sort by the cost centre falls back to the date where the brand does not show it', () => {
  const byCostCentre: UsageView = { ...requestedView, sort: 'costCentre' }
  expect(withoutForbiddenFilters(byCostCentre, lists, true)).toBe(byCostCentre)
  expect(withoutForbiddenFilters(byCostCentre, lists, false)).toEqual({ ...requestedView, sort: 'date' })
})

test('[EASE-07] a filter by cost centre falls back to all where the brand does not show it, and is kept where it does', () => {
  const ofFleet: UsageView = { ...requestedView, costCentre: 'Fleet' }
  expect(withoutForbiddenFilters(ofFleet, lists, true)).toBe(ofFleet)
  expect(withoutForbiddenFilters(ofFleet, lists, false)).toEqual({ ...requestedView, page: 1 })
})

test('[EASE-07] every cost centre has an option of its own, also one named "all" and one that has no usage any more', () => {
  const options = costCentreOptions(['all', 'Fleet'], 'Gone')
  expect(options.map(({ label }) => label)).toEqual(['All Cost Centres', 'all', 'Fleet', 'Gone'])
  expect(options.map(({ id }) => costCentreOfOption(id))).toEqual(['', 'all', 'Fleet', 'Gone'])
  expect(new Set(options.map(({ id }) => id)).size).toBe(4)
  expect(costCentreOptions(undefined, '')).toHaveLength(1)
})

test('[USG-03] record types are those of the service, and all of them without one', () => {
  const types = [
    { id: 7, serviceId: 3, description: 'SMS' },
    { id: 8, serviceId: 4, description: 'Call' },
  ]
  expect([recordTypesOf(types, 0), recordTypesOf(types, 4), recordTypesOf(types, 9), recordTypesOf(undefined, 4)]).toEqual([
    types,
    [types[1]],
    [],
    undefined,
  ])
})

test('choices of the same name say of which service they are, the others do not', () => {
  const items = [item(1, 'desk'), item(2, 'desk'), item(3, 'gate')]
  const labels = filterOptions(
    'All Connections',
    items,
    ({ serviceItem }) => serviceItem,
    ({ id }) => `service ${id}`,
  ).map(({ label }) => label)
  expect(labels).toEqual(['All Connections', 'desk · service 1', 'desk · service 2', 'gate'])
  expect(filterOptions('All Services', undefined, () => '')).toEqual([{ id: '0', label: 'All Services' }])
})
