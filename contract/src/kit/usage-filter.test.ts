import { expect, test } from 'vitest'
import { formatReportDay, toReportDateParameters, toUsageDownloadParameters, USAGE_FILTER_QUERY, type UsageFilter } from './usage-filter.ts'

const FILTER: UsageFilter = {
  dateFrom: '2026-11-01',
  dateTo: '2026-11-20',
  service: 3,
  recordType: 0,
  serviceItem: 5,
  agreement: 0,
  costCentre: '',
}

test('[USG-01][USG-02][USG-03] the list takes a filter under its own field names', () => {
  expect(Object.keys(USAGE_FILTER_QUERY)).toEqual(Object.keys(FILTER))
})

test('[USG-07] the download takes days with their first and last second, and ids as text', () => {
  expect(toUsageDownloadParameters(FILTER)).toEqual([
    { name: 'startDate', value: '2026-11-01 00:00:00' },
    { name: 'endDate', value: '2026-11-20 23:59:59' },
    { name: 'agreementId', value: '0' },
    { name: 'serviceId', value: '3' },
    { name: 'recordTypeId', value: '0' },
    { name: 'serviceItemId', value: '5' },
  ])
  expect(toUsageDownloadParameters({ ...FILTER, costCentre: 'R&D' }).at(-1)).toEqual({ name: 'costCentre', value: 'R&D' })
})

test('[RPT-02] reports take days as MM.DD.YYYY with their first and last second, and "0" for all', () => {
  expect(formatReportDay('2026-11-20')).toBe('11.20.2026')
  expect(toReportDateParameters({ from: '2026-11-01', to: '2026-11-20' })).toEqual([
    { name: 'StartDate', value: '11.01.2026 00:00:00' },
    { name: 'EndDate', value: '11.20.2026 23:59:59' },
  ])
  expect(toReportDateParameters(null)).toEqual([
    { name: 'StartDate', value: '0' },
    { name: 'EndDate', value: '0' },
  ])
})
