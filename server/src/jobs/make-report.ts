import { type ReportContent, ReportImpossible } from '../areas/reports/built-in-report.service.ts'
import { BUILT_IN_REPORTS } from '../areas/reports/built-in-reports.service.ts'
import { addChunk, clearEarlierTries, jobFacts, markReady } from '../areas/reports/report-file.queries.ts'
import type { Lease } from '../areas/reports/report-queue.queries.ts'
import { KEPT_MS } from '../areas/reports/reports.service.ts'
import type { Renderer } from '../documents/renderer.ts'
import { type Clock, later } from '../kit/clock.ts'
import type { DbRole, Store } from '../db/database.ts'
import type { Transact } from '../http/request-context.ts'
import { mintScope } from '../session/scope.ts'
import { newSecret } from '../session/tokens.ts'

/** What making reports needs of the house. */
export interface ReportMakingDeps {
  readonly store: Store
  readonly clock: Clock
  readonly renderer: Renderer
  readonly config: { readonly publicUrl: string }
}

/** One piece of a stored file; no more than this is held while it is written or read. */
const CHUNK_BYTES = 262_144
/** Far beyond any report: what would not fit is a mistake. */
const MOST_BYTES = 268_435_456

/** So many usage records are summed in one statement; the embedded database has one session for everybody. */
const SLICE_RECORDS = { embedded: 20_000, postgres: 200_000 } as const

/**
 * Makes a report that this worker has taken and stores its file, piece by piece. What it reads, it reads as the customer alone.
 * `signal` stops it between two statements.
 * @throws LeaseLost when another worker has the report by now; ReportImpossible when trying again would not help
 */
export const makeReport = async (deps: ReportMakingDeps, lease: Lease, signal: AbortSignal): Promise<void> => {
  const { customerId, resellerId } = lease
  const within = stoppable(deps.store, { role: 'counterfoil_app', customerId, resellerId }, signal)
  const asReseller = stoppable(deps.store, { role: 'counterfoil_reseller', resellerId }, signal)
  const job = await within((db) => jobFacts(db, lease))
  const report = BUILT_IN_REPORTS.find(({ id }) => id === job?.reportId)
  if (job === undefined || report === undefined) throw new ReportImpossible('there is no such report any more')
  const content = await report.make({
    // The gate granted this scope when the report was asked for; the row has kept it.
    scope: mintScope({ customerId, resellerId, brandId: job.brandId }, { predicate: true }),
    given: job.parameters,
    now: deps.clock(),
    transact: within,
    renderer: deps.renderer,
    publicUrl: deps.config.publicUrl,
    sliceRecords: SLICE_RECORDS[deps.store.kind],
  })
  await asReseller((db) => clearEarlierTries(db, lease))
  const sizeBytes = await storedPieces(content, (n, bytes) => asReseller((db) => addChunk(db, lease, n, bytes)))
  const now = deps.clock()
  const { fileName, contentType } = content
  const file = { path: newSecret(), fileName, contentType, sizeBytes, expiresAt: later(now, KEPT_MS) }
  await asReseller((db) => markReady(db, lease, file, now))
}

const stoppable =
  (store: Store, as: DbRole, signal: AbortSignal): Transact =>
  async (work) => {
    signal.throwIfAborted()
    return store.transact(as, work, 'background')
  }

/** Cuts a file into chunks of one size and stores each; gives the file's size. */
const storedPieces = async ({ pieces }: ReportContent, store: (n: number, bytes: Buffer) => Promise<void>): Promise<number> => {
  let [size, n] = [0, 0]
  let held: Buffer[] = []
  let heldBytes = 0
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(held)
    held = []
    heldBytes = 0
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await store(n++, bytes.subarray(at, at + CHUNK_BYTES))
  }
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > MOST_BYTES) throw new ReportImpossible(`the file is larger than ${MOST_BYTES} bytes`)
    held.push(bytes)
    heldBytes += bytes.length
    if (heldBytes >= CHUNK_BYTES) await flush()
  }
  await flush()
  return size
}
