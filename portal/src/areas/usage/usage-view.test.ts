import { TIMEFRAMES } from '@counterfoil/contract/kit/day'
import { USAGE_SORTS } from '@counterfoil/contract/usage'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFilterChange, DEFAULT_VIEW, toSearchParams, withSort, type UsageView, parseUsageView } from './usage-view.ts'

const id = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
const view: fc.Arbitrary<UsageView> = fc.record({
  agreement: id,
  timeframe: fc.constantFrom(...TIMEFRAMES),
  service: id,
  serviceItem: id,
  recordType: id,
  page: fc.integer({ min: 1, max: 100_000_000 }),
  sort: fc.constantFrom(...USAGE_SORTS),
  order: fc.constantFrom('asc', 'desc'),
})
const FIELDS = Object.keys(DEFAULT_VIEW)

test('[USG-08] every view comes back from its address as it was', () => {
  fc.assert(
    fc.property(view, (view) => {
      expect(parseUsageView(new URLSearchParams(toSearchParams(view).toString()))).toEqual(view)
    }),
    { seed: 61 },
  )
})

test('[USG-08] the plain view needs no words in the address, and any other says only what differs', () => {
  expect(toSearchParams(DEFAULT_VIEW).toString()).toBe('')
  const other = { ...DEFAULT_VIEW, timeframe: 'Last 30 Days', service: 7, page: 3, sort: 'price', order: 'asc' } as const
  expect(toSearchParams(other).toString()).toBe('timeframe=last-30-days&service=7&page=3&sort=price&order=asc')
})

test('[USG-08] every address gives a valid view, and an invalid parameter does not affect a valid one', () => {
  const garbage = fc.oneof(
    fc.string(),
    fc.constantFrom('-1', '0', '1.5', '1e9', 'NaN', '99999999999999999999', '../x', 'null', ' 7', 'DESC'),
  )
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.constantFrom(...FIELDS), garbage), { selector: ([name]) => name }), (words) => {
      const view = parseUsageView(new URLSearchParams(words))
      expect(parseUsageView(toSearchParams(view))).toEqual(view)
      expect(view.page).toBeGreaterThanOrEqual(1)
      const service = words.some(([name]) => name === 'service') ? view.service : 42
      expect(
        parseUsageView(new URLSearchParams([['service', String(service)], ...words.filter(([name]) => name !== 'service')])).service,
      ).toBe(service)
    }),
    { seed: 62 },
  )
  const bad = 'agreement=-4&timeframe=yesterday&service=1.5&connection=x&type=99999999999999999999&page=0&sort=secret&order=up'
  expect(parseUsageView(new URLSearchParams(bad))).toEqual(DEFAULT_VIEW)
})

test('[USG-04] any change of a filter goes to page 1, and only another service takes back connection and type', () => {
  fc.assert(
    fc.property(
      view,
      fc.record({ agreement: id, timeframe: fc.constantFrom(...TIMEFRAMES), serviceItem: id, recordType: id }),
      (view, change) => {
        expect(withFilterChange(view, change)).toEqual({ ...view, ...change, page: 1 })
        expect(withFilterChange(view, { service: view.service })).toEqual({ ...view, page: 1 })
        const other = view.service + 1
        expect(withFilterChange(view, { service: other })).toEqual({ ...view, service: other, serviceItem: 0, recordType: 0, page: 1 })
      },
    ),
    { seed: 63 },
  )
})

test('[GRID-01] a press on a column sorts up, a second one down, from page 1; a column that there is not changes nothing but that', () => {
  const at = { ...DEFAULT_VIEW, page: 9, service: 3 }
  const first = withSort(at, 'price')
  expect(first).toEqual({ ...at, sort: 'price', order: 'asc', page: 1 })
  expect(withSort({ ...first, page: 4 }, 'price')).toEqual({ ...first, order: 'desc' })
  expect(withSort(at, 'nothing').sort).toBe('date')
})
