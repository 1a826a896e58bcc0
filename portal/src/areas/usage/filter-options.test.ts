import { expect, test } from 'vitest'
import { optionsOf, possible, typesOf, type UsageLists } from './filter-options.ts'
import { PLAIN_VIEW, type UsageView } from './usage-view.ts'

const item = (id: number, serviceItem: string) => ({ id, serviceId: 3, serviceItem, description: null, costCentre: null })
const lists: UsageLists = {
  agreements: [{ id: 1, agreementName: 'Main' }],
  services: [{ id: 3, name: '4G Data', serviceItemLabel: 'Connection' }],
  connections: [item(5, '0491 570 010')],
  types: [{ id: 7, serviceId: 3, description: 'SMS' }],
}
const NONE: UsageLists = { agreements: undefined, services: undefined, connections: undefined, types: undefined }
const asked: UsageView = { ...PLAIN_VIEW, agreement: 1, service: 3, connection: 5, type: 7, page: 4 }

test('[USG-08] what the customer has is kept, and so is everything while the lists are on their way', () => {
  expect(possible(asked, lists, true)).toBe(asked)
  const unknown = { ...asked, agreement: 99, service: 98, connection: 97, type: 96 }
  expect(possible(unknown, NONE, true)).toBe(unknown)
})

test.each(['agreement', 'service', 'connection', 'type'] as const)(
  '[USG-08] a %s that the customer does not have falls back to all, from page 1, and leaves the rest',
  (name) => {
    expect(possible({ ...asked, [name]: 99 }, lists, true)).toEqual({ ...asked, [name]: 0, page: 1 })
  },
)

test('[USG-06] a sort by the cost centre falls back to the date where the brand does not show it', () => {
  const byCostCentre: UsageView = { ...asked, sort: 'costCentre' }
  expect(possible(byCostCentre, lists, true)).toBe(byCostCentre)
  expect(possible(byCostCentre, lists, false)).toEqual({ ...asked, sort: 'date' })
})

test('[USG-03] record types are those of the service, and all of them without one', () => {
  const types = [
    { id: 7, serviceId: 3, description: 'SMS' },
    { id: 8, serviceId: 4, description: 'Call' },
  ]
  expect([typesOf(types, 0), typesOf(types, 4), typesOf(types, 9), typesOf(undefined, 4)]).toEqual([types, [types[1]], [], undefined])
})

test('choices of the same name say of which service they are, the others do not', () => {
  const named = [item(1, 'desk'), item(2, 'desk'), item(3, 'gate')]
  const labels = optionsOf(
    'All Connections',
    named,
    ({ serviceItem }) => serviceItem,
    ({ id }) => `service ${id}`,
  ).map(({ label }) => label)
  expect(labels).toEqual(['All Connections', 'desk · service 1', 'desk · service 2', 'gate'])
  expect(optionsOf('All Services', undefined, () => '')).toEqual([{ id: '0', label: 'All Services' }])
})
