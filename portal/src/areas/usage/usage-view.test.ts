import { TIMEFRAMES } from '@counterfoil/contract/kit/timeframe'
import { USAGE_SORTS } from '@counterfoil/contract/usage'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CUSTOM_RANGE, type TimeChoice } from './usage-timeframe.ts'
import {
  countActiveFilters,
  withFilterChange,
  DEFAULT_VIEW,
  toUsageFilter,
  toSearchParams,
  withSort,
  type UsageView,
  parseUsageView,
} from './usage-view.ts'

const id = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('1999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const time: fc.Arbitrary<TimeChoice> = fc.oneof(
  fc.constantFrom(...TIMEFRAMES, '2026-09', '1999-12').map((timeframe) => ({ timeframe, from: '', to: '' })),
  fc.tuple(day, day).map((days) => {
    const [from = '', to = ''] = days.toSorted()
    return { timeframe: CUSTOM_RANGE, from, to }
  }),
)
const chosen = fc.record({
  agreement: id,
  service: id,
  serviceItem: id,
  recordType: id,
  costCentre: fc.oneof(fc.constantFrom('', 'all', 'Fleet & Co = 1', '+Ops'), fc.string()),
  page: fc.integer({ min: 1, max: 100_000_000 }),
  sort: fc.constantFrom(...USAGE_SORTS),
  order: fc.constantFrom('asc' as const, 'desc' as const),
})
const view: fc.Arbitrary<UsageView> = fc.tuple(chosen, time).map(([chosen, time]) => ({ ...chosen, ...time }))
const FIELDS = Object.keys(DEFAULT_VIEW)

test('[USG-08][EASE-07] every view comes back from its address as it was', () => {
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
  const days = { ...DEFAULT_VIEW, timeframe: CUSTOM_RANGE, from: '2026-02-03', to: '2026-02-03', costCentre: 'R&D' }
  expect(toSearchParams(days).toString()).toBe('timeframe=custom-range&from=2026-02-03&to=2026-02-03&cost-centre=R%26D')
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
  for (const time of [
    'timeframe=custom-range',
    'timeframe=custom-range&from=2026-02-30&to=2026-03-01',
    'timeframe=custom-range&from=2026-03-02&to=2026-03-01',
    'timeframe=custom-range&from=1999-01-01&to=2026-03-01',
    'timeframe=2026-13',
    'timeframe=0000-01',
    'from=2026-03-01&to=2026-03-02',
  ])
    expect(parseUsageView(new URLSearchParams(time)), time).toEqual(DEFAULT_VIEW)
})

test('[USG-04] any change of a filter goes to page 1, and only another service takes back connection and type', () => {
  fc.assert(
    fc.property(view, fc.record({ agreement: id, serviceItem: id, recordType: id, costCentre: fc.string() }), (view, change) => {
      expect(withFilterChange(view, change)).toEqual({ ...view, ...change, page: 1 })
      expect(withFilterChange(view, { service: view.service })).toEqual({ ...view, page: 1 })
      const other = view.service + 1
      expect(withFilterChange(view, { service: other })).toEqual({ ...view, service: other, serviceItem: 0, recordType: 0, page: 1 })
    }),
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

test('[EASE-07] the filter of a month and of chosen days has these days, and says how many filters are set', () => {
  const month = { ...DEFAULT_VIEW, timeframe: '2024-02', costCentre: 'Fleet' }
  expect(toUsageFilter(month, '2026-11-20')).toMatchObject({ dateFrom: '2024-02-01', dateTo: '2024-02-29', costCentre: 'Fleet' })
  const days = { ...DEFAULT_VIEW, timeframe: CUSTOM_RANGE, from: '2026-02-03', to: '2026-02-05' }
  expect(toUsageFilter(days, '2026-11-20')).toMatchObject({ dateFrom: '2026-02-03', dateTo: '2026-02-05' })
  expect([DEFAULT_VIEW, month, days].map(countActiveFilters)).toEqual([0, 2, 1])
})
