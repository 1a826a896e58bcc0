import { csvHead } from '@counterfoil/contract/kit/csv'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { ROW_COUNT_HEADER, type usage, type UsageRecord } from '@counterfoil/contract/usage'
import type { OpenExport } from '../../db/copy-out.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import type { ExportLimit } from './export-limit.service.ts'
import type { SortedKeysCache } from './sorted-keys-cache.service.ts'
import { usageColumns, usageFileName } from './usage-csv.rules.ts'
import { planUsageExport } from './usage-export.queries.ts'
import { parseDownloadFilter, toUsageFilter } from './usage-filter.rules.ts'
import { exportFacts } from './usage.queries.ts'
import { isCountedByRecord, pagePosition, type Slice } from './usage-position.queries.ts'
import {
  readFirstPage,
  isSingleQuery,
  packedKeys,
  rowsAtPosition,
  rowsOfKeys,
  topRows,
  type UsageRow,
  usageVersion,
} from './usage-rows.queries.ts'
import { readUsageSums } from './usage-sums.queries.ts'
import { intervalOf, toUsageSummary } from './usage-sums.rules.ts'

export interface UsageDeps {
  readonly openExport: OpenExport
  readonly sortedKeys: SortedKeysCache
  readonly exports: ExportLimit
}

type UsageQuery = RequestInput<typeof usage.list>['query']

/** Sorts other than by date are read from the top up to this row; deeper pages use the cached list of sorted keys. */
const MAX_FROM_TOP = 2_000
const STATEMENT_TIMEOUT = '57014'
/** Limits the memory of a list of keys. */
const MAX_KEYS = 2_000_000

/** Reads one page of usage with the exact total. */
export const readUsagePage = async (
  deps: UsageDeps,
  request: CustomerRequestContext,
  query: UsageQuery,
): Promise<ResponseBody<typeof usage.list>> => {
  const filter = toUsageFilter(query)
  const slice: Slice = { order: query.order, offset: (query.pageNumber - 1) * query.pageSize, limit: query.pageSize }
  if (query.sort === 'date' && isSingleQuery(filter, slice)) {
    const { total, rows } = await request.transact((db) => readFirstPage(db, request.scope, filter, slice), {
      readReplica: true,
      pipelined: true,
    })
    return { endUsageDetails: rows.map(toUsageRecord), totalCount: total }
  }
  const page = await request.transact(
    async (db) => {
      const position = await pagePosition(db, request.scope, filter, slice)
      if (query.sort === 'date') return { total: position.total, rows: await rowsAtPosition(db, request.scope, filter, position, slice) }
      if (slice.offset >= position.total) return { total: position.total, rows: [] }
      if (slice.offset + slice.limit <= MAX_FROM_TOP)
        return { total: position.total, rows: await topRows(db, request.scope, filter, query.sort, slice, position.total) }
      return { total: position.total, version: await usageVersion(db, request.scope) }
    },
    { readReplica: true },
  )
  const rows = 'rows' in page ? page.rows : await readDeepPage(deps, request, filter, query, slice, page)
  return { endUsageDetails: rows.map(toUsageRecord), totalCount: page.total }
}

const readDeepPage = async (
  deps: UsageDeps,
  request: CustomerRequestContext,
  filter: UsageFilter,
  { sort, order }: UsageQuery,
  slice: Slice,
  page: { total: number; version: number },
): Promise<UsageRow[]> => {
  if (sort === 'date') return []
  if (page.total > MAX_KEYS)
    throw new ApiError('too_many_records', 'So many records can only be paged by date. Please choose a shorter time, or sort by Date.')
  const name = JSON.stringify([request.scope.customerId, filter, sort, order, page.version])
  const make = (): Promise<Buffer> =>
    request.transact((db) => packedKeys(db, request.scope, filter, sort, order), { pool: 'background', readReplica: true })
  const keys = await deps.sortedKeys.readPage(name, make, slice)
  return request.transact((db) => rowsOfKeys(db, request.scope, keys), { readReplica: true, pipelined: true })
}

/**
 * Reads the exact sums of a filter, in all and by day or month.
 * @throws ApiError 400 when they must be read from more records than five seconds suffice for
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

const toUsageRecord = (row: UsageRow): UsageRecord => ({
  date: row.usageAt.toISOString(),
  serviceItemName: row.serviceItemName,
  serviceItemDescription: row.serviceItemDescription,
  serviceItem2: row.serviceItem2,
  serviceItem3: row.serviceItem3,
  siteName: row.siteName,
  units: Number(row.units),
  price: Number(row.price),
  recordType: row.recordType,
  costCentre: row.costCentre,
})

/** Streams every record of a filter as a CSV file with constant memory. */
export const openUsageDownload = async (
  deps: UsageDeps,
  request: CustomerRequestContext,
  input: RequestInput<typeof usage.download>['body'],
): Promise<FileResponse> => {
  const { scope } = request
  const filter = parseDownloadFilter(input.parameters)
  const facts = await request.transact((db) => exportFacts(db, scope, filter.service))
  const release = deps.exports.acquire(scope.customerId)
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
