import { addDays, type Day, daysBetween, isDay } from '@counterfoil/contract/kit/day'
import { toFileName } from '@counterfoil/contract/kit/file-name'
import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import { DOWNLOAD_COST_CENTRE, DOWNLOAD_IDS, type UsageFilter, type UsageFilterQuery } from '@counterfoil/contract/kit/usage-filter'
import { EDGE_TIMES, assertValidRange, stripEdgeTime } from '../../http/day-range.ts'
import { invalidInput } from '../../kit/api-error.ts'

/**
 * The filter in a query string; 0 and empty mean all, as for what is missing.
 * @throws ApiError 400 when the days are the wrong way round or further apart than ten years
 */
export const toUsageFilter = (query: UsageFilterQuery): UsageFilter => {
  assertValidRange(query.dateFrom, query.dateTo, 'query.dateTo')
  const { dateFrom, dateTo, service = 0, recordType = 0, agreement = 0, serviceItem = 0, costCentre = '' } = query
  return { dateFrom, dateTo, service, recordType, agreement, serviceItem, costCentre }
}

/**
 * Parses the filter of a download: startDate and endDate ("YYYY-MM-DD", optionally with the first or last second of the day),
 * ids as text, "0" for all, and a cost centre.
 * @throws ApiError 400 for a parameter that is missing, unknown, repeated or invalid
 */
export const parseDownloadFilter = (parameters: Parameters): UsageFilter => {
  const values = new Map<string, string>()
  for (const [at, { name, value }] of parameters.entries()) {
    if (name !== 'startDate' && name !== 'endDate' && name !== DOWNLOAD_COST_CENTRE && !Object.hasOwn(DOWNLOAD_IDS, name))
      throw invalidInput(`body.parameters.${at}.name`, `There is no parameter ${name}.`)
    if (values.has(name)) throw invalidInput(`body.parameters.${at}.name`, `The parameter ${name} is given twice.`)
    values.set(name, value)
  }
  const dateFrom = dayParameter(values, 'startDate', 'first')
  const dateTo = dayParameter(values, 'endDate', 'last')
  assertValidRange(dateFrom, dateTo, 'body.parameters')
  const id = (name: keyof typeof DOWNLOAD_IDS): number => idParameter(values, name)
  return {
    dateFrom,
    dateTo,
    service: id('serviceId'),
    recordType: id('recordTypeId'),
    agreement: id('agreementId'),
    serviceItem: id('serviceItemId'),
    costCentre: values.get(DOWNLOAD_COST_CENTRE) ?? '',
  }
}

/** Parses a day such as 2026-11-20, with or without the time of its edge. @throws ApiError 400 when it is missing or no day */
const dayParameter = (values: ReadonlyMap<string, string>, name: string, edge: keyof typeof EDGE_TIMES): Day => {
  const text = values.get(name)
  if (text === undefined) throw invalidInput('body.parameters', `The parameter ${name} is missing.`)
  const day = stripEdgeTime(text, edge)
  if (!isDay(day)) throw invalidInput('body.parameters', `The parameter ${name} is not a whole day such as 2026-11-20 ${EDGE_TIMES[edge]}.`)
  return day
}

/** Parses an id; 0 (all) where it is missing. @throws ApiError 400 for a text that is no id */
const idParameter = (values: ReadonlyMap<string, string>, name: string): number => {
  const text = values.get(name) ?? '0'
  const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(id)) throw invalidInput('body.parameters', `The parameter ${name} is not an id.`)
  return id
}

/** `<service>_Usage.csv`, or `All_Usage.csv` without a service. */
export const usageFileName = (serviceName: string | null): string => `${toFileName(`${serviceName ?? 'All'}_Usage`)}.csv`

/** The day after the filter's last: the exclusive end of its span. */
export const dayAfter = ({ dateTo }: UsageFilter): Day => addDays(dateTo, 1)

/** The maximum number of service items of a customer, times the cost of an index probe in records read. */
const WALK_COST = 30_000

/**
 * Whether reading a page by service item is cheaper by walking the items in order than by sorting all records. Sorting reads `total`
 * records. Walking probes the index once for each month and each item up to the page's end, which are about (offset + limit) × items ÷
 * total.
 */
export const isItemWalkCheaper = (
  { dateFrom, dateTo }: UsageFilter,
  { offset, limit }: { offset: number; limit: number },
  total: number,
): boolean => total * total > WALK_COST * (offset + limit) * Math.ceil((daysBetween(dateFrom, dateTo) + 1) / 30)
