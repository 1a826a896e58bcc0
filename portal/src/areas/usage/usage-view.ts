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
export const PLAIN_VIEW: UsageView = {
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
const MOST_PAGES = 100_000_000

/** The view that an address asks for; what it does not say, or says badly, is as in the plain view. */
export const viewOf = (search: URLSearchParams): UsageView => {
  const id = (name: string): number => wholeNumber(search.get(name)) ?? 0
  return {
    agreement: id('agreement'),
    timeframe: TIMEFRAMES.find((timeframe) => slugOf(timeframe) === search.get('timeframe')) ?? PLAIN_VIEW.timeframe,
    service: id('service'),
    connection: id('connection'),
    type: id('type'),
    page: Math.min(wholeNumber(search.get('page')) || 1, MOST_PAGES),
    sort: USAGE_SORTS.find((sort) => sort === search.get('sort')) ?? PLAIN_VIEW.sort,
    order: search.get('order') === 'asc' ? 'asc' : PLAIN_VIEW.order,
  }
}

/** The address of a view: only what differs from the plain one. */
export const searchOf = (view: UsageView): URLSearchParams => {
  const written = { ...view, timeframe: slugOf(view.timeframe) }
  const plain: typeof written = { ...PLAIN_VIEW, timeframe: slugOf(PLAIN_VIEW.timeframe) }
  const fields = Object.keys(PLAIN_VIEW) as (keyof UsageView)[]
  return new URLSearchParams(fields.filter((field) => written[field] !== plain[field]).map((field) => [field, String(written[field])]))
}

/** The view after a change of its filter: its first page, and another service starts with all connections and all types. */
export const filtered = (view: UsageView, change: Partial<UsageFilter>): UsageView => {
  const isOtherService = change.service !== undefined && change.service !== view.service
  return { ...view, ...change, ...(isOtherService ? { connection: 0, type: 0 } : {}), page: 1 }
}

/** The view after a press on a column: sorted by it, or the other way round, from the first page. */
export const sortedBy = (view: UsageView, key: string): UsageView => {
  const sort = USAGE_SORTS.find((sort) => sort === key) ?? view.sort
  return { ...view, sort, order: nextSort(sortOf(view), sort).direction === 'ascending' ? 'asc' : 'desc', page: 1 }
}

/** The sort as the grid marks it. */
export const sortOf = ({ sort, order }: UsageView): Sort => ({ key: sort, direction: order === 'asc' ? 'ascending' : 'descending' })

const slugOf = (timeframe: Timeframe): string => timeframe.toLowerCase().replaceAll(' ', '-')

const wholeNumber = (text: string | null): number | undefined => {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}
