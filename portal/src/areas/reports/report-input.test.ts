import type { Report } from '@counterfoil/contract/reports'
import { expect, test } from 'vitest'
import {
  DEFAULT_OPTION,
  initialInput,
  CUSTOM_RANGE,
  repeatedRequest,
  toChoice,
  toParameters,
  type ReportInput,
  spanOfInput,
  spanText,
} from './report-input.ts'

const TODAY = '2026-11-20'

const reportWith = (...parameters: Report['parameters']): Report => ({
  id: 1,
  name: 'Report',
  description: '',
  exportTypeId: 1,
  parameters,
})
const sentParameters = (report: Report, changes: Partial<ReportInput> = {}) =>
  toParameters(report, { ...initialInput(report, TODAY), ...changes }, TODAY)
const days = (required: boolean) => reportWith({ name: 'DateRange', required })

test('[RPT-02] days are sent as MM.DD.YYYY from midnight to the last second, and shown as MM.DD.YYYY - MM.DD.YYYY', () => {
  expect(sentParameters(days(true))).toEqual([
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
  const span = spanOfInput({ ...initialInput(days(true), TODAY), timeframe }, TODAY)
  expect(span && spanText(span)).toBe(text)
})

test('[RPT-02] the default is sent as 0 where a parameter is not required, and is no answer where it is', () => {
  expect(sentParameters(days(false), { timeframe: DEFAULT_OPTION })).toEqual([
    { name: 'StartDate', value: '0' },
    { name: 'EndDate', value: '0' },
  ])
  expect(sentParameters(days(true), { timeframe: DEFAULT_OPTION })).toBeUndefined()
  const service = (required: boolean) => reportWith({ name: 'ServiceId', required })
  expect(sentParameters(service(false))).toEqual([{ name: 'ServiceId', value: '0' }])
  expect(sentParameters(service(true))).toBeUndefined()
  expect(sentParameters(service(true), { serviceId: '12' })).toEqual([{ name: 'ServiceId', value: '12' }])
})

test.each([
  ['', '2026-11-20'],
  ['2026-11-20', ''],
  ['2026-11-21', '2026-11-20'],
  ['2026-02-30', '2026-11-20'],
])('[RPT-02] own days from %s to %s are not sent', (from, to) => {
  expect(sentParameters(days(true), { timeframe: CUSTOM_RANGE, from, to })).toBeUndefined()
})

test('[RPT-02] own days may be one day', () => {
  expect(sentParameters(days(true), { timeframe: CUSTOM_RANGE, from: '2024-02-29', to: '2024-02-29' })?.map(({ value }) => value)).toEqual([
    '02.29.2024 00:00:00',
    '02.29.2024 23:59:59',
  ])
})

test('[EASE-09] a report of a timeframe is made again with the days that the timeframe has now, one of chosen days with the same days', () => {
  const parameters = [
    { name: 'StartDate', value: '10.01.2026 00:00:00' },
    { name: 'EndDate', value: '10.31.2026 23:59:59' },
    { name: 'ServiceId', value: '7' },
  ]
  expect(repeatedRequest({ parameters, timeframe: null }, '2026-12-03')).toEqual({ parameters })
  expect(repeatedRequest({ parameters, timeframe: 'Last Month' }, '2026-12-03')).toEqual({
    timeframe: 'Last Month',
    parameters: [
      { name: 'StartDate', value: '11.01.2026 00:00:00' },
      { name: 'EndDate', value: '11.30.2026 23:59:59' },
      { name: 'ServiceId', value: '7' },
    ],
  })
})

test('[EASE-09] the timeframe is sent with its days, and neither with a custom range nor where there are no days', () => {
  const choice = (report: Report, changes: Partial<ReportInput>) =>
    toChoice(report, { ...initialInput(report, TODAY), ...changes }, TODAY)?.timeframe
  expect(choice(days(true), { timeframe: 'Last Month' })).toBe('Last Month')
  expect(choice(days(true), { timeframe: CUSTOM_RANGE })).toBeUndefined()
  expect(choice(days(false), { timeframe: DEFAULT_OPTION })).toBeUndefined()
  expect(choice(reportWith(), { timeframe: 'Last Month' })).toBeUndefined()
})
