import type { Spending } from '@counterfoil/contract/dashboard'
import { firstOfMonth } from '@counterfoil/contract/kit/day'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changeText, comparedMonthsNote, comparisonText, monthDetail, partLabel } from './spending-texts.ts'
import { changeOf, spendingCurrencies, spendingParts, spendingYears, withOthersTogether } from './spending-years.ts'

beforeEach(() => vi.stubGlobal('navigator', { languages: ['en-GB'] }))
afterEach(() => void vi.unstubAllGlobals())

type Sums = Spending['sums'][number]

const sums = (services: Readonly<Record<string, number>>, more: Partial<Sums> = {}): Sums => ({
  currency: 'AUD',
  currencySymbol: 'A$',
  total: Object.values(services).reduce((sum, amount) => sum + amount, (more.taxes ?? 0) + (more.other ?? 0)),
  services: Object.entries(services).map(([serviceName, amount]) => ({ serviceName, amount })),
  taxes: 0,
  other: 0,
  ...more,
})

/** Twenty-four months up to November 2026 with the sums of some, by how many months ago they are. */
const spendingOf = (byAge: Readonly<Record<number, readonly Sums[]>>): Spending[] =>
  Array.from({ length: 24 }, (_, index) => ({ month: firstOfMonth('2026-11-20', index - 23), sums: [...(byAge[23 - index] ?? [])] }))

test('[EASE-08] each of the last twelve months stands beside the same month a year before, and the last of them is running', () => {
  const years = spendingYears(spendingOf({ 0: [sums({ Data: 0.1 })], 1: [sums({ Data: 0.2 })], 13: [sums({ Data: 0.3 })] }), 'AUD')
  expect(years.months).toHaveLength(12)
  expect(years.months.at(-1)).toEqual({ month: '2026-11-01', monthBefore: '2025-11-01', amount: 0.1, before: 0, isRunning: true })
  expect(years.months.at(-2)).toMatchObject({ month: '2026-10-01', monthBefore: '2025-10-01', amount: 0.2, before: 0.3, isRunning: false })
  expect(years).toMatchObject({ symbol: 'A$', amount: 0.3, before: 0.3 })
})

test('[EASE-08] the years are compared like for like: without the running month, and from the customer’s first month on', () => {
  const since = (first: number): Spending[] =>
    spendingOf(Object.fromEntries(Array.from({ length: first + 1 }, (_, age) => [age, [sums({ Data: age >= 12 ? 100 : 114 })]])))
  expect(spendingYears(since(23), 'AUD').comparison).toEqual({ months: 11, amount: 1_254, before: 1_100 })
  expect(spendingYears(since(14), 'AUD').comparison).toEqual({ months: 2, amount: 228, before: 200 })
  expect(spendingYears(since(12), 'AUD').comparison).toBeNull()
  expect([since(23), since(13), since(3)].map((months) => comparisonText(spendingYears(months, 'AUD')))).toEqual([
    'A$154.00 (14 %) more than in the same 11 months a year before',
    'A$14.00 (14 %) more than in the same month a year before',
    'There is no year before to compare with',
  ])
  expect([since(23), since(13), since(3)].map((months) => comparedMonthsNote(spendingYears(months, 'AUD')))).toEqual([
    'The comparison leaves out the running month.',
    'The comparison leaves out the running month and those before your first.',
    '',
  ])
})

test('[EASE-08] the change is told as more, less or the same, with a decimal below one percent', () => {
  const of = (now: number, before: number): string =>
    comparisonText(spendingYears(spendingOf({ 1: [sums({ Data: now })], 13: [sums({ Data: before })] }), 'AUD'))
  expect([of(50, 100), of(100, 100), of(1_000_000, 1_004_000), of(5, -5)]).toEqual([
    'A$50.00 (50 %) less than in the same month a year before',
    'As much as in the same month a year before',
    'A$4,000.00 (0.4 %) less than in the same month a year before',
    'A$10.00 more than in the same month a year before',
  ])
})

test('[EASE-08] the change of an amount is exact and has its sign', () => {
  const changes = [changeOf({ amount: 0.3, before: 0.1 }), changeOf({ amount: 1.1, before: 3.3 }), changeOf({ amount: 5, before: 5 })]
  expect(changes).toEqual([0.2, -2.2, 0])
  expect(changes.map((change) => changeText(change, 'A$'))).toEqual(['+A$0.20', '-A$2.20', 'A$0.00'])
})

test('[EASE-08] currencies are never mixed, and the one of the most months comes first', () => {
  const spending = spendingOf({
    1: [sums({ Data: 7 }, { currency: 'USD', currencySymbol: 'USD' }), sums({ Data: 1 })],
    2: [sums({ Data: 2 })],
  })
  expect(spendingCurrencies(spending)).toEqual(['AUD', 'USD'])
  expect([spendingYears(spending, 'AUD').amount, spendingYears(spending, 'USD').amount]).toEqual([3, 7])
  expect(spendingCurrencies(spendingOf({}))).toEqual([])
})

test('[EASE-08] services come by their amount, then what no service accounts for, then the taxes; together they are the total', () => {
  const spending = spendingOf({
    1: [sums({ Voice: 10, Data: 20 }, { taxes: 3, other: -1 })],
    13: [sums({ Fax: 5, Data: 1 }, { taxes: 0.6 })],
  })
  const parts = spendingParts(spending, 'AUD')
  expect(parts.map((part) => [partLabel(part), part.amount, part.before])).toEqual([
    ['Data', 20, 1],
    ['Voice', 10, 0],
    ['Fax', 0, 5],
    ['Other', -1, 0],
    ['Taxes', 3, 0.6],
  ])
  expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(spendingYears(spending, 'AUD').amount)
})

test('[EASE-08] of forty services the largest are named and the others are one sum; one service stands alone', () => {
  const forty = spendingOf({
    1: [sums(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`S${i}`, 40 - i])), { other: 1, taxes: 2 })],
  })
  const shown = withOthersTogether(spendingParts(forty, 'AUD'), 4)
  expect(shown.map((part) => [partLabel(part), part.amount])).toEqual([
    ['S0', 40],
    ['S1', 39],
    ['S2', 38],
    ['S3', 37],
    ['Other', 667],
    ['Taxes', 2],
  ])
  const one = spendingOf({ 1: [sums({ Data: 5 })] })
  expect(withOthersTogether(spendingParts(one, 'AUD'), 4).map(partLabel)).toEqual(['Data'])
})

test('[EASE-08] one service alone has the months of its own, and a chart’s month says both years', () => {
  const years = spendingYears(spendingOf({ 0: [sums({ Data: 5, Voice: 1 })], 12: [sums({ Voice: 2_000_000 })] }), 'AUD', 'Voice')
  expect([years.amount, years.before]).toEqual([1, 2_000_000])
  const [running] = years.months.slice(-1)
  expect(running && monthDetail(running, years.symbol)).toBe('November 2026 so far: A$1.00\nNovember 2025: A$2,000,000.00')
})
