import type { ServiceItem } from '@counterfoil/contract/service-items'
import { expect, test } from 'vitest'
import { itemCountText } from '../../shell/item-count-text.ts'
import { transactionsAddress, usageAddress } from './service-item-columns.tsx'
import { findServiceItems } from './service-item-search.ts'

const item = (id: number, serviceItem: string, description: string | null, serviceId = 1): ServiceItem => ({
  id,
  serviceId,
  serviceItem,
  description,
  costCentre: 'HIDDEN',
})
const items = [item(1, '0491 570 156', 'Truck 1, dash camera'), item(2, '0491 570 157', 'Lager Süd'), item(3, 'sim.A*b', null, 2)]
const find = (search: string, service = 0): number[] => findServiceItems(items, { search, service }).map(({ id }) => id)

test('[EASE-07] every word is searched in item and description, whatever the case, and a service narrows it', () => {
  expect([find(''), find('570'), find('SÜD'), find('camera 0491'), find('a*b'), find('hidden')]).toEqual([
    [1, 2, 3],
    [1, 2],
    [2],
    [1],
    [3],
    [],
  ])
  expect([find('', 2), find('570', 2)]).toEqual([[3], []])
})

test('[EASE-07] a row leads to its usage and to its transactions, also with characters that addresses keep for themselves', () => {
  expect(usageAddress({ id: 12, serviceId: 3 })).toBe('/usage?service=3&connection=12')
  expect(new URLSearchParams(transactionsAddress({ serviceItem: 'a&b=+61 #4' }).split('?')[1]).get('search')).toBe('a&b=+61 #4')
})

test('[EASE-06][EASE-07] items are counted, with all of them where some are left out', () => {
  expect([itemCountText(75, 75, 50_000), itemCountText(12, 75, 50_000), itemCountText(1, 1, 50_000)]).toEqual([
    '75 items',
    '12 of 75 items',
    '1 item',
  ])
  expect(itemCountText(50_000, 50_000, 50_000)).toBe('the first 50,000 items')
})
