import { csvHead } from '@counterfoil/contract/kit/csv'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { ROW_COUNT_HEADER, type usage } from '@counterfoil/contract/usage'
import type { OpenExport } from '../../db/copy-out.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import type { ExportLimit } from './export-limit.service.ts'
import { totalSource } from './usage-counters.queries.ts'
import { exportColumns, planUsageExport } from './usage-export.queries.ts'
import { parseDownloadFilter, toUsageFilter, usageFileName } from './usage-filter.rules.ts'
import { exportFacts } from './usage.queries.ts'
import type { UsagePageDeps } from './usage-page.service.ts'
import { readUsageSums } from './usage-sums.queries.ts'
import { intervalOf, toUsageSummary } from './usage-sums.rules.ts'

export interface UsageDeps extends UsagePageDeps {
  readonly openExport: OpenExport
  readonly exports: ExportLimit
}

const STATEMENT_TIMEOUT = '57014'

/**
 * Reads the exact sums of a filter, in all and by day or month.
 * @throws ApiError too_many_records when they must be read from more records than can be summed while somebody waits
 */
export const readUsageSummary = async (
  { scope, transact }: CustomerRequestContext,
  query: RequestInput<typeof usage.summary>['query'],
): Promise<ResponseBody<typeof usage.summary>> => {
  const filter = toUsageFilter(query)
  const options = { usage: 'replica', pipelined: totalSource(filter) !== 'records' } as const
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
  const facts = await request.transact((db) => exportFacts(db, scope, filter.service), { usage: 'replica' })
  const release = deps.exports.acquire(request)
  try {
    const dbRole = { role: 'counterfoil_app', customerId: scope.customerId, resellerId: scope.resellerId } as const
    const head = csvHead(exportColumns(facts.withCostCentre))
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
