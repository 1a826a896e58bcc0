import type { Static, TObject } from 'typebox'
import { Day, type Span } from './day.ts'
import { FilterId } from './http/ids.ts'
import type { Parameters } from './http/parameters.ts'

/** The query parameters of a usage filter, under its own field names. */
export const USAGE_FILTER_QUERY = {
  dateFrom: Day,
  dateTo: Day,
  service: FilterId,
  recordType: FilterId,
  serviceItem: FilterId,
  agreement: FilterId,
}

/** Which usage records are meant: whole UTC days, both included, and ids, of which 0 means all. */
export type UsageFilter = Readonly<Required<Static<TObject<typeof USAGE_FILTER_QUERY>>>>

/** The ids of a usage filter, without its days. */
export type UsageFilterIds = Omit<UsageFilter, 'dateFrom' | 'dateTo'>

const DAY_START = '00:00:00'
const DAY_END = '23:59:59'
const ALL = '0'

/** A usage filter as the parameters of the usage download: days as YYYY-MM-DD with their first and last second, ids as text. */
export const toUsageDownloadParameters = ({ dateFrom, dateTo, agreement, service, recordType, serviceItem }: UsageFilter): Parameters => [
  { name: 'startDate', value: `${dateFrom} ${DAY_START}` },
  { name: 'endDate', value: `${dateTo} ${DAY_END}` },
  { name: 'agreementId', value: String(agreement) },
  { name: 'serviceId', value: String(service) },
  { name: 'recordTypeId', value: String(recordType) },
  { name: 'serviceItemId', value: String(serviceItem) },
]

/** The days of a report as its parameters: MM.DD.YYYY with the first and last second, "0" for all days when null. */
export const toReportDateParameters = (span: Span | null): Parameters => [
  { name: 'StartDate', value: span === null ? ALL : `${formatReportDay(span.from)} ${DAY_START}` },
  { name: 'EndDate', value: span === null ? ALL : `${formatReportDay(span.to)} ${DAY_END}` },
]

/** A day as reports write it: "11.20.2026" for 2026-11-20. */
export const formatReportDay = (day: Day): string => `${day.slice(5, 7)}.${day.slice(8, 10)}.${day.slice(0, 4)}`
