import { type Static, Type } from 'typebox'
import { Day, Instant } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { Parameters } from '../kit/http/parameters.ts'
import { nullable } from '../kit/http/nullable.ts'
import { USAGE_FILTER_QUERY } from '../kit/usage-filter.ts'

export const USAGE_PAGE_SIZE = 100

const OptionalText = nullable(Type.String())

export const UsageRecord = Type.Object({
  date: Instant,
  serviceItemName: OptionalText,
  serviceItemDescription: OptionalText,
  serviceItem2: OptionalText,
  serviceItem3: OptionalText,
  siteName: OptionalText,
  units: Type.Number(),
  price: Type.Number({ description: 'With all stored digits' }),
  recordType: Type.String(),
  costCentre: OptionalText,
})
export type UsageRecord = Static<typeof UsageRecord>

/** The columns by which usage can be sorted: every column of the grid. */
export const USAGE_SORTS = [
  'date',
  'serviceItemName',
  'serviceItem2',
  'serviceItem3',
  'recordType',
  'units',
  'serviceItemDescription',
  'siteName',
  'price',
  'costCentre',
] as const
export type UsageSort = (typeof USAGE_SORTS)[number]

export const RecordType = Type.Object({ id: Type.Integer(), serviceId: Type.Integer(), description: Type.String() })
export type RecordType = Static<typeof RecordType>

const ExactDecimal = Type.String({ description: 'An exact decimal with all its digits', examples: ['1370.812345'] })

/** Up to this many days the sums are given for each day, beyond it for each month. */
export const MAX_USAGE_BARS_BY_DAY = 62

export const UsageBar = Type.Object({
  dateFrom: Day,
  dateTo: Day,
  records: Type.Integer(),
  price: ExactDecimal,
})
export type UsageBar = Static<typeof UsageBar>

export const UsageSummary = Type.Object({
  records: Type.Integer(),
  price: ExactDecimal,
  units: nullable(ExactDecimal),
  bars: Type.Array(UsageBar, { description: 'Every day of the filter, or every month when it has more than 62 days, oldest first' }),
})
export type UsageSummary = Static<typeof UsageSummary>

export const UsageFilterChoices = Type.Object({
  months: Type.Array(Day, { description: 'The first days of the months with usage, newest first' }),
  costCentres: Type.Array(Type.String(), { description: 'Of all records, by name; empty where the brand does not show cost centres' }),
})
export type UsageFilterChoices = Static<typeof UsageFilterChoices>

/** The header with the number of rows of a download, by which a truncated file is recognised. */
export const ROW_COUNT_HEADER = 'X-Row-Count'

export const usage = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/usage',
    access: 'customer',
    sections: ['usage'],
    summary: 'One page of usage records, with the exact number of all that match',
    query: Type.Object(
      {
        ...USAGE_FILTER_QUERY,
        pageNumber: Type.Integer({ minimum: 1, maximum: 100_000_000, default: 1 }),
        pageSize: Type.Integer({ minimum: 1, maximum: 1_000, default: USAGE_PAGE_SIZE }),
        sort: Type.Unsafe<UsageSort>({ enum: USAGE_SORTS, default: 'date' }),
        order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'desc' }),
      },
      { additionalProperties: false },
    ),
    response: Type.Object({ endUsageDetails: Type.Array(UsageRecord), totalCount: Type.Integer() }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/v1/ec/usage/summary',
    access: 'customer',
    sections: ['usage'],
    summary: 'The exact sums of all usage records of a filter, and of its days or months; units where one record type is chosen',
    query: Type.Object(USAGE_FILTER_QUERY, { additionalProperties: false }),
    response: UsageSummary,
  }),
  filters: endpoint({
    method: 'GET',
    path: '/v1/ec/usage/filters',
    access: 'customer',
    sections: ['usage'],
    summary: 'The months and cost centres that have usage',
    response: UsageFilterChoices,
  }),
  recordTypes: endpoint({
    method: 'GET',
    path: '/v1/ec/record-types',
    access: 'customer',
    sections: ['usage'],
    summary: "The record types of the customer's services, by name",
    response: Type.Array(RecordType),
  }),
  download: endpoint({
    method: 'POST',
    path: '/v1/ec/usage/download',
    access: 'customer',
    sections: ['usage'],
    summary: 'Every usage record of a filter as CSV; X-Row-Count says how many rows come',
    body: Type.Object({ parameters: Parameters }, { additionalProperties: false }),
    response: { file: 'text/csv' },
  }),
}
