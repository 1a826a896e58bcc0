import type { Span } from '@counterfoil/contract/kit/day'
import { ROW_COUNT_HEADER, usage } from '@counterfoil/contract/usage'
import { askStream } from '../../api/call-api.ts'
import { rowCount } from './csv-row-counter.ts'
import { type Keep, keepAsFile, keepInMemory } from './download-sink.ts'
import type { UsageFilter } from './usage-view.ts'

/** How far a download has come. */
export interface DownloadProgress {
  readonly rows: number
  /** How many rows there will be. */
  readonly of: number
}

export interface DownloadAsk {
  readonly filter: UsageFilter
  readonly span: Span
  /** The name to offer before the server has given the file its own. */
  readonly likelyName: string
  /** Too much for the browser's memory: the file is written while it comes, in a place that the person chooses first. */
  readonly isVast: boolean
  readonly onProgress: (progress: DownloadProgress) => void
  readonly signal: AbortSignal
}

/** What became of a download that did not fail. */
export type DownloadOutcome = { readonly saved: string; readonly rows: number } | 'cancelled'

/** The file broke off, or is not what the server said that it would send: nothing of it was saved. */
export class DownloadCut extends Error {
  readonly progress: DownloadProgress

  constructor(progress: DownloadProgress, cause?: unknown) {
    super(`the download broke off after ${progress.rows} of ${progress.of} rows`, { cause })
    this.name = 'DownloadCut'
    this.progress = progress
  }
}

/**
 * Saves every usage record of a filter as the server's CSV file: the whole file, or nothing.
 *
 * @throws DownloadCut when fewer or more rows came than X-Row-Count had said
 * @throws AskFailed as `ask` does, before the first byte
 */
export const downloadUsage = async ({ filter, span, likelyName, isVast, onProgress, signal }: DownloadAsk): Promise<DownloadOutcome> => {
  let keep: Keep | undefined
  try {
    // The browser lets a person choose a place only in the very press that asks for it.
    keep = (isVast ? await keepAsFile(likelyName) : undefined) ?? keepInMemory()
    const answer = await askStream(usage.download, { body: { parameters: parametersOf(filter, span) }, signal })
    const of = Number(answer.headers.get(ROW_COUNT_HEADER) ?? Number.NaN)
    const rows = await taken(answer.pieces, of, { keep, onProgress, signal })
    return { saved: await keep.done(answer.name || likelyName), rows }
  } catch (failure) {
    await keep?.drop()
    if (signal.aborted || wasDismissed(failure)) return 'cancelled'
    throw failure
  }
}

/** The filter as the call wants it (portal.md §7): days with their first and last second, ids as text. */
const parametersOf = ({ agreement, service, type, connection }: UsageFilter, { from, to }: Span) => [
  { name: 'startDate', value: `${from} 00:00:00` },
  { name: 'endDate', value: `${to} 23:59:59` },
  { name: 'agreementId', value: String(agreement) },
  { name: 'serviceId', value: String(service) },
  { name: 'recordTypeId', value: String(type) },
  { name: 'serviceItemId', value: String(connection) },
]

const taken = async (
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  of: number,
  { keep, onProgress, signal }: { keep: Keep } & Pick<DownloadAsk, 'onProgress' | 'signal'>,
): Promise<number> => {
  const count = rowCount()
  const cut = (cause?: unknown): DownloadCut => new DownloadCut({ rows: count.rows(), of }, cause)
  onProgress({ rows: 0, of })
  const source = pieces[Symbol.asyncIterator]()
  for (;;) {
    const next = await source.next().catch((cause: unknown) => {
      throw signal.aborted ? cause : cut(cause)
    })
    if (next.done === true) break
    count.add(next.value)
    await keep.add(next.value)
    onProgress({ rows: count.rows(), of })
  }
  if (count.rows() !== of || !count.isAtEnd()) throw cut()
  return of
}

/** Did the person close the window that asks for a place? */
const wasDismissed = (failure: unknown): boolean => failure instanceof DOMException && failure.name === 'AbortError'
