import { expect, test } from 'vitest'
import { Faults } from './faults.ts'

test('a fault happens as often as requested, for its provider and operation only', () => {
  const faults = new Faults()
  faults.add({ provider: 'stripe', operation: 'charge', kind: 'error', times: 2 })
  expect(faults.take('stripe', 'refund')).toBeUndefined()
  expect(faults.take('pinch', 'charge')).toBeUndefined()
  expect(faults.take('stripe', 'charge')).toMatchObject({ kind: 'error', ms: 45_000, booked: false })
  expect(faults.list()).toMatchObject([{ times: 1 }])
  expect(faults.take('stripe', 'charge')?.kind).toBe('error')
  expect(faults.take('stripe', 'charge')).toBeUndefined()
})

test('faults for one operation happen in the order of the requests', () => {
  const faults = new Faults()
  for (const kind of ['slow', 'decline'] as const) faults.add({ provider: 'nexio', operation: 'charge', kind, times: 1 })
  expect([faults.take('nexio', 'charge')?.kind, faults.take('nexio', 'charge')?.kind]).toEqual(['slow', 'decline'])
})

test('`booked` defaults to true for slow and drop only, and an explicit value wins', () => {
  const faults = new Faults()
  const booked = (kind: 'slow' | 'drop' | 'error' | 'twice', said?: boolean) =>
    faults.add({ provider: 'moneris', operation: 'charge', kind, times: 1, ...(said === undefined ? {} : { booked: said }) }).booked
  expect([booked('slow'), booked('drop'), booked('error'), booked('twice')]).toEqual([true, true, false, false])
  expect([booked('slow', false), booked('error', true)]).toEqual([false, true])
})
