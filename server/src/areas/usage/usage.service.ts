import { csvHead } from '@counterfoil/contract/kit/csv'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { ROW_COUNT_HEADER, type usage, type UsageSort } from '@counterfoil/contract/usage'
import type { OpenExport } from '../../db/copy-out.ts'
import type { JsonText } from '../../http/json-text.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import type { ExportLimit } from './export-limit.service.ts'
import type { SortedKeysCache } from './sorted-keys-cache.service.ts'
import { usageColumns, usageFileName } from './usage-csv.rules.ts'
import { planUsageExport } from './usage-export.queries.ts'
import { parseDownloadFilter, toUsageFilter } from './usage-filter.rules.ts'
import { exportFacts } from './usage.queries.ts'
import { usagePageJson } from './usage-json.rules.ts'
import type { UsageNames } from './usage-names.service.ts'
import { isCountedByRecord, pagePosition, type Slice, totalOf } from './usage-position.queries.ts'
import {
  canWalkItems,
  isFirstPage,
  type Key,
  literalTotal,
  packedKeys,
  readPage,
  rowsAtPosition,
  rowsByDate,
  rowsByItemName,
  rowsOfKeys,
  type Statement,
  topRows,
  type UsagePage,
  usageVersion,
} from './usage-rows.queries.ts'
import { readUsageSums } from './usage-sums.queries.ts'
import { intervalOf, toUsageSummary } from './usage-sums.rules.ts'

export interface UsageDeps {
  readonly openExport: OpenExport
  readonly sortedKeys: SortedKeysCache
  readonly usageNames: UsageNames
  readonly exports: ExportLimit
}

type UsageQuery = RequestInput<typeof usage.list>['query']

/** Sorts other than by date are read from the top up to this row; deeper pages use the cached list of sorted keys. */
const MAX_FROM_TOP = 2_000
const STATEMENT_TIMEOUT = '57014'
/** Limits the memory of a list of keys. */
const MAX_KEYS = 2_000_000

/**
 * Reads one page of usage records with the exact total, as JSON text.
 * @throws ApiError 400 for days that are not valid, or a page too far down in another order than by date
 */
export const readUsagePage = async (
  deps: UsageDeps,
  request: CustomerRequestContext,
  query: UsageQuery,
): Promise<JsonText<typeof usage.list>> => {
  const filter = toUsageFilter(query)
  const slice: Slice = { order: query.order, offset: (query.pageNumber - 1) * query.pageSize, limit: query.pageSize }
  const { total, version, rows } =
    query.sort === 'date' && isFirstPage(filter, slice)
      ? await readPage(request, totalOf(request.scope, filter), rowsByDate(request.scope, filter, slice))
      : await readPageAtPosition(deps, request, filter, query, slice)
  return usagePageJson(rows, await deps.usageNames.load(request, version, rows), total)
}

/** Reads any page, in the cheapest of four ways: by date from its days, by cached keys far down, by walking the items, else by sorting. */
const readPageAtPosition = async (
  deps: UsageDeps,
  request: CustomerRequestContext,
  filter: UsageFilter,
  { sort, order }: UsageQuery,
  slice: Slice,
): Promise<UsagePage> => {
  const { scope, transact } = request
  const position = await transact((db) => pagePosition(db, scope, filter, slice), { readReplica: true })
  const { total } = position
  const read = (records: Statement): Promise<UsagePage> => readPage(request, literalTotal(total), records)
  if (slice.offset >= total) return { total, version: '', rows: [] }
  if (sort === 'date') return read(rowsAtPosition(scope, filter, position, slice))
  if (slice.offset + slice.limit > MAX_FROM_TOP)
    return read(rowsOfKeys(scope, await deepKeys(deps, request, filter, sort, order, slice, total)))
  if (canWalkItems(filter, sort, slice, total)) {
    const page = await read(rowsByItemName(scope, filter, slice))
    if (page.rows.length === Math.min(slice.limit, total - slice.offset)) return page
  }
  return read(topRows(scope, filter, sort, slice))
}

/**
 * The keys of a page far down in another order than by date, from the cached list of all keys.
 * @throws ApiError for more than `MAX_KEYS` records
 */
const deepKeys = async (
  deps: UsageDeps,
  { scope, transact }: CustomerRequestContext,
  filter: UsageFilter,
  sort: Exclude<UsageSort, 'date'>,
  order: Slice['order'],
  slice: Slice,
  total: number,
): Promise<Key[]> => {
  if (total > MAX_KEYS)
    throw new ApiError('too_many_records', 'So many records can only be paged by date. Please choose a shorter time, or sort by Date.')
  const version = await transact((db) => usageVersion(db, scope), { readReplica: true })
  const name = JSON.stringify([scope.customerId, filter, sort, order, version])
  const make = (): Promise<Buffer> =>
    transact((db) => packedKeys(db, scope, filter, sort, order), { pool: 'background', readReplica: true })
  return deps.sortedKeys.readPage(name, make, slice)
}

/**
 * Reads the exact sums of a filter, in all and by day or month.
 * @throws ApiError too_many_records when they must be read from more records than can be summed while somebody waits
 */
export const readUsageSummary = async (
  { scope, transact }: CustomerRequestContext,
  query: RequestInput<typeof usage.summary>['query'],
): Promise<ResponseBody<typeof usage.summary>> => {
  const filter = toUsageFilter(query)
  const options = { readReplica: true, pipelined: !isCountedByRecord(filter) }
  const sums = await transact((db) => readUsageSums(db, scope, filter, intervalOf(filter)), options).catch((error: unknown) => {
    if ((error as { code?: string }).code !== STATEMENT_TIMEOUT) throw error
    throw new ApiError(
      'too_many_records',
      'So many records cannot be summed up for one connection or cost centre. Please choose a shorter time.',
    )
  })
  return toUsageSummary(filter, sums)
}

/**
 * Streams every record of a filter as a CSV file with constant memory, holding one of the places for downloads until the stream closes.
 * @throws ApiError 400 for a parameter that is not valid; 429 while too many downloads run
 */
export const openUsageDownload = async (
  deps: UsageDeps,
  request: CustomerRequestContext,
  input: RequestInput<typeof usage.download>['body'],
): Promise<FileResponse> => {
  const { scope } = request
  const filter = parseDownloadFilter(input.parameters)
  const facts = await request.transact((db) => exportFacts(db, scope, filter.service))
  const release = deps.exports.acquire(request)
  try {
    const dbRole = { role: 'counterfoil_app', customerId: scope.customerId, resellerId: scope.resellerId } as const
    const head = csvHead(usageColumns(facts.withCostCentre))
    const { rows, body } = await deps.openExport(dbRole, head, (db) => planUsageExport(db, scope, filter, facts.withCostCentre))
    body.once('close', release)
    return {
      contentType: 'text/csv; charset=utf-8',
      fileName: usageFileName(facts.serviceName),
      headers: { [ROW_COUNT_HEADER]: String(rows) },
      body,
    }
  } catch (error) {
    release()
    throw error
  }
}
