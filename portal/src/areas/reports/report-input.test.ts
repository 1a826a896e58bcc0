import type { Report } from '@counterfoil/contract/reports'
import { expect, test } from 'vitest'
import { DEFAULT, firstChoice, OWN_DAYS, parametersOf, type ReportChoice, spanOfChoice, spanText } from './report-input.ts'

const TODAY = '2026-11-20'

const report = (...parameters: Report['parameters']): Report => ({ id: 1, name: 'Report', exportTypeId: 1, parameters })
const sent = (given: Report, over: Partial<ReportChoice> = {}) => parametersOf(given, { ...firstChoice(given, TODAY), ...over }, TODAY)
const days = (required: boolean) => report({ name: 'DateRange', required })

test('[RPT-02] days are sent as MM.DD.YYYY from midnight to the last second, and shown as MM.DD.YYYY - MM.DD.YYYY', () => {
  expect(sent(days(true))).toEqual([
    { name: 'StartDate', value: '11.01.2026 00:00:00' },
    { name: 'EndDate', value: '11.20.2026 23:59:59' },
  ])
  expect(spanText({ from: '2026-02-03', to: '2026-11-20' })).toBe('02.03.2026 - 11.20.2026')
})

test.each([
  ['Last Month', '10.01.2026 - 10.31.2026'],
  ['Last 7 Days', '11.14.2026 - 11.20.2026'],
  ['Last 30 Days', '10.22.2026 - 11.20.2026'],
] as const)('[RPT-02] %s is %s', (timeframe, text) => {
  const span = spanOfChoice({ ...firstChoice(days(true), TODAY), timeframe }, TODAY)
  expect(span && spanText(span)).toBe(text)
})

test('[RPT-02] the default is sent as 0 where a parameter is not required, and is no answer where it is', () => {
  expect(sent(days(false), { timeframe: DEFAULT })).toEqual([
    { name: 'StartDate', value: '0' },
    { name: 'EndDate', value: '0' },
  ])
  expect(sent(days(true), { timeframe: DEFAULT })).toBeUndefined()
  const service = (required: boolean) => report({ name: 'ServiceId', required })
  expect(sent(service(false))).toEqual([{ name: 'ServiceId', value: '0' }])
  expect(sent(service(true))).toBeUndefined()
  expect(sent(service(true), { serviceId: '12' })).toEqual([{ name: 'ServiceId', value: '12' }])
})

test.each([
  ['', '2026-11-20'],
  ['2026-11-20', ''],
  ['2026-11-21', '2026-11-20'],
  ['2026-02-30', '2026-11-20'],
])('[RPT-02] own days from %s to %s are not sent', (from, to) => {
  expect(sent(days(true), { timeframe: OWN_DAYS, from, to })).toBeUndefined()
})

test('[RPT-02] own days may be one day', () => {
  expect(sent(days(true), { timeframe: OWN_DAYS, from: '2024-02-29', to: '2024-02-29' })?.map(({ value }) => value)).toEqual([
    '02.29.2024 00:00:00',
    '02.29.2024 23:59:59',
  ])
})
