import type { RequestInput } from '@counterfoil/contract/kit/http/endpoint'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import type { usage, UsageSort } from '@counterfoil/contract/usage'
import type { RawRow } from '../../db/statement-batch.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import type { JsonText } from '../../http/json-text.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { SortedKeysCache } from './sorted-keys-cache.service.ts'
import { isShortSpan, locatePage, type PageRange, totalOf, totalSource } from './usage-counters.queries.ts'
import type { SqlFragment } from './usage-filter.queries.ts'
import { isItemWalkCheaper, toUsageFilter } from './usage-filter.rules.ts'
import { usagePageJson } from './usage-json.rules.ts'
import { namesVersion, withoutNestedLoops } from './usage-names.queries.ts'
import type { UsageNames } from './usage-names.service.ts'
import {
  encodeSortedKeys,
  firstKeys,
  firstRowsByDate,
  givenKeys,
  type KeySort,
  locatedRowsByDate,
  nextItemNames,
  rowsByItemName,
  rowsOfKeys,
  usageVersion,
} from './usage-rows.queries.ts'

export interface UsagePageDeps {
  readonly sortedKeys: SortedKeysCache
  readonly usageNames: UsageNames
}

interface UsagePage {
  readonly total: number
  /** The version of the names in its records: see usage-names.queries.ts. */
  readonly version: string
  readonly rows: readonly RawRow[]
}

/** Which records a page has. */
interface PageQuery {
  readonly filter: UsageFilter
  readonly range: PageRange
}

/** Sorts other than by date are read from the top up to this row; deeper pages use the cached list of sorted keys. */
const MAX_FROM_TOP = 2_000
/** Limits the memory of a list of keys. */
const MAX_KEYS = 2_000_000

/**
 * Reads one page of usage records with the exact total, as JSON text.
 * @throws ApiError 400 for days that are not valid, or a page too far down in another order than by date
 */
export const readUsagePage = async (
  deps: UsagePageDeps,
  request: CustomerRequestContext,
  query: RequestInput<typeof usage.list>['query'],
): Promise<JsonText<typeof usage.list>> => {
  const { sort, order, pageNumber, pageSize } = query
  const page = { filter: toUsageFilter(query), range: { order, offset: (pageNumber - 1) * pageSize, limit: pageSize } }
  const { total, version, rows } = await readPage(deps, request, sort, page)
  return usagePageJson(rows, await deps.usageNames.load(request, version, rows), total)
}

/** Decides which of three ways reads a page. */
const readPage = async (deps: UsagePageDeps, request: CustomerRequestContext, sort: UsageSort, query: PageQuery): Promise<UsagePage> => {
  if (sort === 'date') return pageByDate(request, query)
  const { scope, readRaw } = request
  const { filter, range } = query
  const mayWalk = sort === 'serviceItemName' && filter.serviceItem === 0 && !isDeep(range)
  const firstNames = mayWalk ? [nextItemNames(scope, range.order, null)] : []
  const [counted, names = []] = await readRaw([totalOf(scope, filter), ...firstNames], { usage: 'replica' })
  const page = { filter, range, total: Number(counted?.[0]?.[0]) }
  if (range.offset >= page.total) return emptyPage(page.total)
  const ofItems = mayWalk && isItemWalkCheaper(filter, range, page.total) ? await pageByItems(request, page, names) : null
  return ofItems ?? pageByKeys(deps, request, sort, page)
}

const emptyPage = (total: number): UsagePage => ({ total, version: '', rows: [] })

/** By date: where the page begins is computed from the counters, and only its days are read. */
const pageByDate = async (request: CustomerRequestContext, { filter, range }: PageQuery): Promise<UsagePage> => {
  const { scope, transact } = request
  if (beginsAtTop(filter, range)) return readRows(request, totalOf(scope, filter), firstRowsByDate(scope, filter, range))
  const options = { usage: 'replica', pipelined: totalSource(filter) !== 'months' } as const
  const location = await transact((db) => locatePage(db, scope, filter, range), options)
  if (location.firstDay === null) return emptyPage(location.total)
  return readRows(request, location.total, locatedRowsByDate(scope, filter, range, location))
}

/** Whether the page is the first, unless the filter over a long span is so rare that all records of many months might be read. */
const beginsAtTop = (filter: UsageFilter, { offset }: PageRange): boolean =>
  offset === 0 && (totalSource(filter) === 'days' || isShortSpan(filter))

interface CountedPageQuery extends PageQuery {
  readonly total: number
}

const isDeep = ({ offset, limit }: PageRange): boolean => offset + limit > MAX_FROM_TOP

/**
 * By sorted keys: those of the page alone, or far down those of the cached list of all keys.
 * @throws ApiError for a deep page of more than `MAX_KEYS` records
 */
const pageByKeys = async (
  { sortedKeys }: UsagePageDeps,
  request: CustomerRequestContext,
  sort: KeySort,
  { filter, range, total }: CountedPageQuery,
): Promise<UsagePage> => {
  const { scope, transact, readRaw } = request
  if (!isDeep(range)) return readRows(request, total, rowsOfKeys(scope, firstKeys(scope, filter, sort, range)), [withoutNestedLoops])
  if (total > MAX_KEYS)
    throw new ApiError('too_many_records', 'So many records can only be paged by date. Please choose a shorter time, or sort by Date.')
  const [version] = await readRaw([usageVersion(scope)], { usage: 'replica' })
  const name = JSON.stringify([scope.customerId, filter, sort, range.order, version?.[0]?.[0]])
  const load = (): Promise<Buffer> =>
    transact((db) => encodeSortedKeys(db, scope, filter, { sort, order: range.order }), { pool: 'background', usage: 'replica' })
  return readRows(request, total, rowsOfKeys(scope, givenKeys(await sortedKeys.readPage(name, load, range))))
}

/**
 * By service item: the newest records of each item, name by name, until the page is full. Null where the items have too few
 * records: those without an item sort last.
 */
const pageByItems = async (
  request: CustomerRequestContext,
  { filter, range: { order, offset, limit }, total }: CountedPageQuery,
  firstNames: readonly RawRow[],
): Promise<UsagePage | null> => {
  const { scope, readRaw } = request
  const end = Math.min(offset + limit, total)
  const rows: RawRow[] = []
  let walked = 0
  for (let names = firstNames; names.length > 0; ) {
    const itemIds = names.map(([, ids]) => ids ?? '')
    const range = { offset: Math.max(0, offset - walked), limit: end - walked }
    const page = await readRows(request, total, rowsByItemName(scope, filter, itemIds, range))
    rows.push(...page.rows.filter(([usageAt]) => usageAt !== null))
    walked += Number(page.rows[0]?.at(-1))
    if (walked >= end) return { ...page, rows }
    ;[names = []] = await readRaw([nextItemNames(scope, order, names.at(-1)?.[0] ?? null)], { usage: 'replica' })
  }
  return null
}

/**
 * Runs a statement for the records of a page, with the version of their names and the total, in one round trip.
 * @param before statements that run before it
 */
const readRows = async (
  { scope, readRaw }: CustomerRequestContext,
  total: number | SqlFragment,
  records: SqlFragment,
  before: readonly SqlFragment[] = [],
): Promise<UsagePage> => {
  const totals = typeof total === 'number' ? [] : [total]
  const results = await readRaw([...before, namesVersion(scope), records, ...totals], { usage: 'replica' })
  const [version, rows = [], counted] = results.slice(before.length)
  return { total: typeof total === 'number' ? total : Number(counted?.[0]?.[0]), version: version?.[0]?.[0] ?? '', rows }
}
