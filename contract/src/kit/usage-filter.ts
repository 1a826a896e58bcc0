import { type Static, type TObject, Type } from 'typebox'
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
  costCentre: Type.Optional(Type.String({ description: 'As it stands in the records; absent or empty: all' })),
}

/** A usage filter as it stands in a query string, where an id that is missing means all. */
export type UsageFilterQuery = Static<TObject<typeof USAGE_FILTER_QUERY>>

/** Which usage records are meant: whole UTC days, both included; ids, of which 0 means all; and a cost centre, of which "" means all. */
export type UsageFilter = Readonly<Required<UsageFilterQuery>>

/** The ids of a usage filter. */
export type UsageFilterIds = Omit<UsageFilter, 'dateFrom' | 'dateTo' | 'costCentre'>

const DAY_START = '00:00:00'
const DAY_END = '23:59:59'
const ALL = '0'

/** The ids as parameters of the usage download, with their fields. */
export const DOWNLOAD_IDS = {
  agreementId: 'agreement',
  serviceId: 'service',
  recordTypeId: 'recordType',
  serviceItemId: 'serviceItem',
} as const satisfies Record<string, keyof UsageFilterIds>

/** The cost centre as a parameter of the usage download; absent or empty means all. */
export const DOWNLOAD_COST_CENTRE = 'costCentre'

/** A usage filter as the parameters of the usage download: days as YYYY-MM-DD with their first and last second, ids as text. */
export const toUsageDownloadParameters = (filter: UsageFilter): Parameters => [
  { name: 'startDate', value: `${filter.dateFrom} ${DAY_START}` },
  { name: 'endDate', value: `${filter.dateTo} ${DAY_END}` },
  ...Object.entries(DOWNLOAD_IDS).map(([name, field]) => ({ name, value: String(filter[field]) })),
  ...(filter.costCentre === '' ? [] : [{ name: DOWNLOAD_COST_CENTRE, value: filter.costCentre }]),
]

/** The days of a report as its parameters: MM.DD.YYYY with the first and last second, "0" for all days when null. */
export const toReportDateParameters = (span: Span | null): Parameters => [
  { name: 'StartDate', value: span === null ? ALL : `${formatReportDay(span.from)} ${DAY_START}` },
  { name: 'EndDate', value: span === null ? ALL : `${formatReportDay(span.to)} ${DAY_END}` },
]

/** A day as reports write it: "11.20.2026" for 2026-11-20. */
export const formatReportDay = (day: Day): string => `${day.slice(5, 7)}.${day.slice(8, 10)}.${day.slice(0, 4)}`
