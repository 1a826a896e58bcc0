import type { Day, Span } from '@counterfoil/contract/kit/day'
import type { UsageFilter, UsageFilterIds } from '@counterfoil/contract/kit/usage-filter'
import { USAGE_SORTS, type UsageSort } from '@counterfoil/contract/usage'
import { nextSort, type Sort } from '../../ui/grid/grid-model.ts'
import { parseTimeChoice, rangeFromTimeframe, type TimeChoice, toSlug } from './usage-timeframe.ts'

/** What is chosen in the filters; an id of 0 means all. */
export interface UsageSelection extends UsageFilterIds, TimeChoice {
  /** "" means all. */
  readonly costCentre: string
}

/** What is chosen in the filters, with the page and the sort of the grid. */
export interface UsageView extends UsageSelection {
  /** 1-based. */
  readonly page: number
  readonly sort: UsageSort
  readonly order: 'asc' | 'desc'
}

/** The view of a URL without query parameters: everything of this month, newest first. */
export const DEFAULT_VIEW: UsageView = {
  agreement: 0,
  timeframe: 'This Month',
  from: '',
  to: '',
  service: 0,
  serviceItem: 0,
  recordType: 0,
  costCentre: '',
  page: 1,
  sort: 'date',
  order: 'desc',
}

/** The highest page number that the server accepts. */
const MAX_PAGE = 100_000_000

/** The names of the view's fields in the page's URL, in the order in which they are written. */
const QUERY_NAMES: Readonly<Record<keyof UsageView, string>> = {
  agreement: 'agreement',
  timeframe: 'timeframe',
  from: 'from',
  to: 'to',
  service: 'service',
  serviceItem: 'connection',
  recordType: 'type',
  costCentre: 'cost-centre',
  page: 'page',
  sort: 'sort',
  order: 'order',
}

/** The view of a URL's query parameters. Missing and invalid values are replaced by those of the default view. */
export const parseUsageView = (search: URLSearchParams): UsageView => {
  const text = (field: keyof UsageView): string | null => search.get(QUERY_NAMES[field])
  const id = (field: keyof UsageFilterIds): number => parseWholeNumber(text(field)) ?? 0
  return {
    ...DEFAULT_VIEW,
    ...parseTimeChoice(text('timeframe'), text('from'), text('to')),
    agreement: id('agreement'),
    service: id('service'),
    serviceItem: id('serviceItem'),
    recordType: id('recordType'),
    costCentre: text('costCentre') ?? '',
    page: Math.min(parseWholeNumber(text('page')) || 1, MAX_PAGE),
    sort: USAGE_SORTS.find((sort) => sort === text('sort')) ?? DEFAULT_VIEW.sort,
    order: text('order') === 'asc' ? 'asc' : DEFAULT_VIEW.order,
  }
}

/** The query parameters of a view in the page's URL: only the values that differ from the default view. */
export const toSearchParams = (view: UsageView): URLSearchParams => {
  const values = { ...view, timeframe: toSlug(view.timeframe) }
  const defaults: typeof values = { ...DEFAULT_VIEW, timeframe: toSlug(DEFAULT_VIEW.timeframe) }
  const fields = Object.keys(QUERY_NAMES) as (keyof UsageView)[]
  const changed = fields.filter((field) => values[field] !== defaults[field])
  return new URLSearchParams(changed.map((field) => [QUERY_NAMES[field], String(values[field])]))
}

/** The filter of a request to the server: the days of the timeframe and the chosen ids. */
export const toUsageFilter = (selection: UsageSelection, today: Day): UsageFilter => {
  const { agreement, service, serviceItem, recordType, costCentre } = selection
  const { from, to } = rangeFromTimeframe(selection, today)
  return { dateFrom: from, dateTo: to, service, recordType, serviceItem, agreement, costCentre }
}

/** The days that a filter covers. */
export const spanOf = ({ dateFrom, dateTo }: UsageFilter): Span => ({ from: dateFrom, to: dateTo })

/** The first page of a view with other filters. Another service resets the service item and the record type to all. */
export const withFilterChange = (view: UsageView, change: Partial<UsageSelection>): UsageView => {
  const isOtherService = change.service !== undefined && change.service !== view.service
  return { ...view, ...change, ...(isOtherService ? { serviceItem: 0, recordType: 0 } : {}), page: 1 }
}

/** How many filters are set to something else than they are in the default view. */
export const countActiveFilters = (selection: UsageSelection): number =>
  (['agreement', 'timeframe', 'service', 'serviceItem', 'recordType', 'costCentre'] as const).filter(
    (field) => selection[field] !== DEFAULT_VIEW[field],
  ).length

/** The first page of a view after a click on a column: sorted by it, or in the other direction. */
export const withSort = (view: UsageView, key: string): UsageView => {
  const sort = USAGE_SORTS.find((sort) => sort === key) ?? view.sort
  return { ...view, sort, order: nextSort(gridSortOf(view), sort).direction === 'ascending' ? 'asc' : 'desc', page: 1 }
}

/** The view's sort in the grid's form: the column's key and its direction. */
export const gridSortOf = ({ sort, order }: UsageView): Sort => ({ key: sort, direction: order === 'asc' ? 'ascending' : 'descending' })

/** The number of a text of digits alone; undefined for any other text, and for a number too large to be exact. */
const parseWholeNumber = (text: string | null): number | undefined => {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}
