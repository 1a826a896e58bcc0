import { TIMEFRAMES, type Timeframe } from '@counterfoil/contract/kit/day'
import { USAGE_SORTS, type UsageSort } from '@counterfoil/contract/usage'
import { nextSort, type Sort } from '../../ui/grid/grid-model.ts'

/** Which records are looked at; an id of 0 stands for all. */
export interface UsageFilter {
  readonly agreement: number
  readonly timeframe: Timeframe
  readonly service: number
  readonly connection: number
  readonly type: number
}

/** A filter, and where in its records one stands. */
export interface UsageView extends UsageFilter {
  /** 1-based. */
  readonly page: number
  readonly sort: UsageSort
  readonly order: 'asc' | 'desc'
}

/** What the screen shows where the address says nothing: all of this month, newest first. */
export const DEFAULT_VIEW: UsageView = {
  agreement: 0,
  timeframe: 'This Month',
  service: 0,
  connection: 0,
  type: 0,
  page: 1,
  sort: 'date',
  order: 'desc',
}

/** The most that the call takes as a page number. */
const MAX_PAGE = 100_000_000

/** The view that an address asks for; what it does not say, or says badly, is as in the plain view. */
export const parseUsageView = (search: URLSearchParams): UsageView => {
  const id = (name: string): number => parseWholeNumber(search.get(name)) ?? 0
  return {
    agreement: id('agreement'),
    timeframe: TIMEFRAMES.find((timeframe) => toSlug(timeframe) === search.get('timeframe')) ?? DEFAULT_VIEW.timeframe,
    service: id('service'),
    connection: id('connection'),
    type: id('type'),
    page: Math.min(parseWholeNumber(search.get('page')) || 1, MAX_PAGE),
    sort: USAGE_SORTS.find((sort) => sort === search.get('sort')) ?? DEFAULT_VIEW.sort,
    order: search.get('order') === 'asc' ? 'asc' : DEFAULT_VIEW.order,
  }
}

/** The address of a view: only what differs from the plain one. */
export const toSearchParams = (view: UsageView): URLSearchParams => {
  const values = { ...view, timeframe: toSlug(view.timeframe) }
  const defaults: typeof values = { ...DEFAULT_VIEW, timeframe: toSlug(DEFAULT_VIEW.timeframe) }
  const fields = Object.keys(DEFAULT_VIEW) as (keyof UsageView)[]
  return new URLSearchParams(fields.filter((field) => values[field] !== defaults[field]).map((field) => [field, String(values[field])]))
}

/** The view after a change of its filter: its first page, and another service starts with all connections and all types. */
export const withFilterChange = (view: UsageView, change: Partial<UsageFilter>): UsageView => {
  const isOtherService = change.service !== undefined && change.service !== view.service
  return { ...view, ...change, ...(isOtherService ? { connection: 0, type: 0 } : {}), page: 1 }
}

/** The view after a press on a column: sorted by it, or the other way round, from the first page. */
export const withSort = (view: UsageView, key: string): UsageView => {
  const sort = USAGE_SORTS.find((sort) => sort === key) ?? view.sort
  return { ...view, sort, order: nextSort(gridSortOf(view), sort).direction === 'ascending' ? 'asc' : 'desc', page: 1 }
}

/** The sort as the grid marks it. */
export const gridSortOf = ({ sort, order }: UsageView): Sort => ({ key: sort, direction: order === 'asc' ? 'ascending' : 'descending' })

const toSlug = (timeframe: Timeframe): string => timeframe.toLowerCase().replaceAll(' ', '-')

const parseWholeNumber = (text: string | null): number | undefined => {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}
