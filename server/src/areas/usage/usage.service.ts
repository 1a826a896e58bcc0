import { toCsv } from '@counterfoil/contract/kit/csv'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { ROW_COUNT_HEADER, type usage, type UsageRecord } from '@counterfoil/contract/usage'
import type { OpenExport } from '../../db/copy-out.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import type { ExportPlaces } from './export-limit.service.ts'
import type { SortedKeys } from './sort-keys.rules.ts'
import { usageColumns, usageFileName } from './usage-csv.rules.ts'
import { usageExport } from './usage-export.queries.ts'
import { filterOf, filterOfParameters, type UsageFilter } from './usage-filter.rules.ts'
import { exportFacts } from './usage.queries.ts'
import { placeOf, type Slice } from './usage-position.queries.ts'
import { firstRows, isReadAtOnce, packedKeys, rowsAt, rowsOfKeys, topRows, type UsageRow, usageVersion } from './usage-rows.queries.ts'

export interface UsageDeps {
  readonly openExport: OpenExport
  readonly sortedKeys: SortedKeys
  readonly exports: ExportPlaces
}

type UsageQuery = RequestInput<typeof usage.list>['query']

/** Another sort than the date's is read from the top this far; behind it, the sorted list of all keys is made once and kept. */
const MOST_FROM_TOP = 2_000
/** The most records that a list of keys is made of. */
const MOST_KEYS = 2_000_000

/** One page of usage with the exact number of all that match. */
export const usagePage = async (
  deps: UsageDeps,
  ask: CustomerRequestContext,
  query: UsageQuery,
): Promise<ResponseBody<typeof usage.list>> => {
  const filter = filterOf(query)
  const slice: Slice = { order: query.order, offset: (query.pageNumber - 1) * query.pageSize, limit: query.pageSize }
  if (query.sort === 'date' && isReadAtOnce(filter, slice)) {
    const { total, rows } = await ask.transact((db) => firstRows(db, ask.scope, filter, slice), 'reading', 'one statement')
    return { endUsageDetails: rows.map(recordOf), totalCount: total }
  }
  const found = await ask.transact(async (db) => {
    const place = await placeOf(db, ask.scope, filter, slice)
    if (query.sort === 'date') return { total: place.total, rows: await rowsAt(db, ask.scope, filter, place, slice) }
    if (slice.offset >= place.total) return { total: place.total, rows: [] }
    if (slice.offset + slice.limit <= MOST_FROM_TOP)
      return { total: place.total, rows: await topRows(db, ask.scope, filter, query.sort, slice, place.total) }
    return { total: place.total, version: await usageVersion(db, ask.scope) }
  }, 'reading')
  const rows = 'rows' in found ? found.rows : await rowsBehind(deps, ask, filter, query, slice, found)
  return { endUsageDetails: rows.map(recordOf), totalCount: found.total }
}

const rowsBehind = async (
  deps: UsageDeps,
  ask: CustomerRequestContext,
  filter: UsageFilter,
  { sort, order }: UsageQuery,
  slice: Slice,
  found: { total: number; version: number },
): Promise<UsageRow[]> => {
  if (sort === 'date') return []
  if (found.total > MOST_KEYS)
    throw new ApiError(400, 'So many records can only be paged by date. Please choose a shorter time, or sort by Date.')
  const name = JSON.stringify([ask.scope.customerId, filter, sort, order, found.version])
  const make = (): Promise<Buffer> => ask.transact((db) => packedKeys(db, ask.scope, filter, sort, order), 'long reading')
  const keys = await deps.sortedKeys.page(name, make, slice, ask.now)
  return ask.transact((db) => rowsOfKeys(db, ask.scope, keys), 'reading', 'one statement')
}

const recordOf = (row: UsageRow): UsageRecord => ({
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

/** Every record of a filter as a CSV file that begins at once and costs the server the same memory at any size. */
export const usageDownload = async (
  deps: UsageDeps,
  ask: CustomerRequestContext,
  given: RequestInput<typeof usage.download>['body'],
): Promise<FileResponse> => {
  const { scope } = ask
  const filter = filterOfParameters(given.parameters)
  const facts = await ask.transact((db) => exportFacts(db, scope, filter.serviceId))
  const leave = deps.exports.enter(scope.customerId)
  try {
    const as = { role: 'counterfoil_app', customerId: scope.customerId, resellerId: scope.resellerId } as const
    const head = toCsv(usageColumns(facts.withCostCentre), [])
    const { rows, body } = await deps.openExport(as, head, (db) => usageExport(db, scope, filter, facts.withCostCentre))
    body.once('close', leave)
    return {
      contentType: 'text/csv; charset=utf-8',
      fileName: usageFileName(facts.serviceName),
      headers: { [ROW_COUNT_HEADER]: String(rows) },
      body,
    }
  } catch (error) {
    leave()
    throw error
  }
}
