import { type ReportContent, ReportFailure } from '../areas/reports/built-in/built-in-report.service.ts'
import { BUILT_IN_REPORTS } from '../areas/reports/built-in/built-in-reports.service.ts'
import { storeChunk, deleteEarlierChunks, markReady, findReportRequest } from '../areas/reports/runs/report-file.queries.ts'
import type { ReportRun } from '../areas/reports/runs/report-run.queries.ts'
import { REPORT_LIFETIME_MS } from '../areas/reports/reports.service.ts'
import type { Renderer } from '../documents/renderer.ts'
import { type Clock, addMs } from '../kit/clock.ts'
import type { Keys } from '../kit/keys.ts'
import type { DbRole, Store } from '../db/database.ts'
import type { Transact } from '../db/transact.ts'
import { mintScope } from '../session/scope.ts'
import { newSecret } from '../session/tokens.ts'

/** What generating reports needs of the AppContext. */
export interface GenerateReportDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly renderer: Renderer
  readonly config: { readonly publicUrl: string }
}

/** Size of a stored chunk; about this much is in memory while a file is written or read. */
const CHUNK_BYTES = 262_144
/** Far beyond any report; a larger file is a mistake. */
const MAX_FILE_BYTES = 268_435_456

/** Usage records summed in one statement; few on the embedded database, which has a single session. */
const SLICE_RECORDS = { embedded: 20_000, postgres: 200_000 } as const

/**
 * Generates a report, stores its file in chunks, and marks it as ready. All reads run as the customer; `signal` ends it between two.
 * @throws JobFailure when another worker has begun the report since, or when a retry would not help
 */
export const generateReport = async (deps: GenerateReportDeps, run: ReportRun, signal: AbortSignal): Promise<void> => {
  const { customerId, resellerId } = run
  const transact = abortableTransact(deps.store, { role: 'counterfoil_app', customerId, resellerId }, signal)
  const transactAsReseller = abortableTransact(deps.store, { role: 'counterfoil_reseller', resellerId }, signal)
  const request = await transact((db) => findReportRequest(db, run))
  const report = BUILT_IN_REPORTS.find(({ id }) => id === request?.reportId)
  if (request === undefined || report === undefined) throw new ReportFailure('gone', 'there is no such report any more')
  const content = await report.generate({
    // This scope was checked when the report was requested, and stored with it.
    scope: mintScope({ customerId, resellerId, brandId: request.brandId }),
    parameters: request.parameters,
    now: deps.clock(),
    transact: transact,
    renderer: deps.renderer,
    keys: deps.keys,
    publicUrl: deps.config.publicUrl,
    sliceRecords: SLICE_RECORDS[deps.store.kind],
  })
  await transactAsReseller((db) => deleteEarlierChunks(db, run))
  const sizeBytes = await storeChunks(content, (n, bytes) => transactAsReseller((db) => storeChunk(db, run, n, bytes)))
  const now = deps.clock()
  const { fileName, contentType } = content
  const file = { path: newSecret(), fileName, contentType, sizeBytes, expiresAt: addMs(now, REPORT_LIFETIME_MS) }
  await transactAsReseller((db) => markReady(db, run, file, now))
}

/** Makes the function that runs a transaction on the background pool, unless the signal has aborted: then that function throws. */
const abortableTransact =
  (store: Store, as: DbRole, signal: AbortSignal): Transact =>
  async (work, options) => {
    signal.throwIfAborted()
    return store.transact(as, work, { ...options, pool: 'background' })
  }

/** Cuts a file into chunks of CHUNK_BYTES and stores them. Returns the file's size in bytes. @throws ReportFailure above MAX_FILE_BYTES */
const storeChunks = async ({ chunks: pieces }: ReportContent, store: (n: number, bytes: Buffer) => Promise<void>): Promise<number> => {
  let [size, n] = [0, 0]
  let buffered: Buffer[] = []
  let bufferedBytes = 0
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(buffered)
    buffered = []
    bufferedBytes = 0
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await store(n++, bytes.subarray(at, at + CHUNK_BYTES))
  }
  for await (const chunk of pieces) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_FILE_BYTES) throw new ReportFailure('too_large', `the file is larger than ${MAX_FILE_BYTES} bytes`)
    buffered.push(bytes)
    bufferedBytes += bytes.length
    if (bufferedBytes >= CHUNK_BYTES) await flush()
  }
  await flush()
  return size
}
