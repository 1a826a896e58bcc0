import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, dayOf, daysBetween, firstOfMonth, isDay, lastOfMonth } from './day.ts'
import { timeframeDays, TIMEFRAMES } from './timeframe.ts'

const instant = fc.date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2199-12-31T23:59:59Z'), noInvalidDate: true })
const day = instant.map(dayOf)

test('an instant falls on its day of UTC, whatever the machine’s own zone', () => {
  expect(dayOf(new Date('2026-11-20T23:59:59.999Z'))).toBe('2026-11-20')
  expect(dayOf(new Date('2026-11-20T23:30:00-05:00'))).toBe('2026-11-21')
})

test('days added and counted agree', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -20_000, max: 20_000 }), (from, days) => {
      expect(daysBetween(from, addDays(from, days))).toBe(days)
      expect(addDays(addDays(from, days), -days)).toBe(from)
    }),
    { seed: 31 },
  )
})

test('a month begins on the first and ends the day before the next one begins', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -600, max: 600 }), (day, months) => {
      const first = firstOfMonth(day, months)
      expect(first).toMatch(/-01$/)
      expect(addDays(lastOfMonth(first), 1)).toBe(firstOfMonth(first, 1))
      expect(firstOfMonth(first, -months)).toBe(firstOfMonth(day))
      expect(daysBetween(first, lastOfMonth(first)) + 1).toBeGreaterThanOrEqual(28)
    }),
    { seed: 32 },
  )
})

test('February knows its leap years', () => {
  expect(['2024-02-01', '2026-02-28', '2100-02-10', '2000-02-10'].map(lastOfMonth)).toEqual([
    '2024-02-29',
    '2026-02-28',
    '2100-02-28',
    '2000-02-29',
  ])
})

test('a day is a day only when the calendar has it and it is written out', () => {
  fc.assert(
    fc.property(day, (day) => isDay(day)),
    { seed: 33 },
  )
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '26-01-01',
    '2026-01-01T00:00:00Z',
    '',
    ' 2026-01-01',
    '２０２６-01-01',
  ])
    expect(isDay(text), text).toBe(false)
})

test('[USG-02] the four timeframes are days of UTC: this month so far, the whole of last month, and 7 or 30 days that end today', () => {
  const spans = (today: string) =>
    TIMEFRAMES.map((timeframe) => [timeframe, timeframeDays(timeframe, today).from, timeframeDays(timeframe, today).to])
  expect(spans('2026-11-20')).toEqual([
    ['This Month', '2026-11-01', '2026-11-20'],
    ['Last Month', '2026-10-01', '2026-10-31'],
    ['Last 7 Days', '2026-11-14', '2026-11-20'],
    ['Last 30 Days', '2026-10-22', '2026-11-20'],
  ])
  expect(spans('2028-03-01').map(([, from, to]) => `${from} ${to}`)).toEqual([
    '2028-03-01 2028-03-01',
    '2028-02-01 2028-02-29',
    '2028-02-24 2028-03-01',
    '2028-02-01 2028-03-01',
  ])
})

test('a timeframe never begins after it ends and never reaches past today', () => {
  fc.assert(
    fc.property(day, fc.constantFrom(...TIMEFRAMES), (today, timeframe) => {
      const { from, to } = timeframeDays(timeframe, today)
      expect(daysBetween(from, to)).toBeGreaterThanOrEqual(0)
      expect(daysBetween(to, today)).toBeGreaterThanOrEqual(0)
    }),
    { seed: 34 },
  )
})
