import { expect, test } from 'vitest'
import { timeframeFromRange, CUSTOM_RANGE, dateRangeProblem, timeOptions } from './usage-timeframe.ts'

test.each([
  ['', '2026-03-01', 'from', 'Enter the first day.'],
  ['2026-03-01', '2026-02-30', 'to', 'Enter the last day.'],
  ['2026-03-02', '2026-03-01', 'to', 'The last day lies before the first.'],
  ['2016-01-01', '2026-01-08', 'to', 'Choose at most ten years at a time.'],
])('[EASE-07] %s to %s is no range, and a sentence beside the day says why', (from, to, field, text) => {
  expect(dateRangeProblem(from, to)).toEqual({ field, text })
})

test('[EASE-07] one day and ten years are ranges', () => {
  expect([dateRangeProblem('2026-03-01', '2026-03-01'), dateRangeProblem('2016-01-01', '2026-01-07')]).toEqual([null, null])
})

test('[EASE-07] a pressed bar of a whole month becomes that month, any other one its days', () => {
  expect(timeframeFromRange({ from: '2026-02-01', to: '2026-02-28' })).toEqual({ timeframe: '2026-02', from: '', to: '' })
  expect(timeframeFromRange({ from: '2026-02-01', to: '2026-02-27' })).toEqual({
    timeframe: CUSTOM_RANGE,
    from: '2026-02-01',
    to: '2026-02-27',
  })
})

test('[EASE-07] after the presets stand the earlier months with usage, each under its year, and the chosen one even without usage', () => {
  const options = timeOptions(['2026-11-01', '2026-10-01', '2025-12-01'], '2026-02', '2026-11-20')
  expect(options.slice(0, 5).map(({ label }) => label)).toEqual(['This Month', 'Last Month', 'Last 7 Days', 'Last 30 Days', 'Custom range'])
  expect(options.slice(5)).toEqual([
    { id: '2026-10', label: 'October 2026', group: '2026' },
    { id: '2026-02', label: 'February 2026', group: '2026' },
    { id: '2025-12', label: 'December 2025', group: '2025' },
  ])
  expect(timeOptions(undefined, 'This Month', '2026-11-20')).toHaveLength(5)
})
