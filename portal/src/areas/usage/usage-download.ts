import { toUsageDownloadParameters, type UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { ROW_COUNT_HEADER, usage } from '@counterfoil/contract/usage'
import { fetchStream } from '../../api/call-api.ts'
import { createCsvRowCounter } from './csv-row-counter.ts'
import { type DownloadSink, createFileSink, createMemorySink } from './download-sink.ts'

/** How far a download has come. */
export interface DownloadProgress {
  readonly rows: number
  /** How many rows there will be. */
  readonly total: number
}

export interface DownloadRequest {
  readonly filter: UsageFilter
  /** The name to offer before the server has given the file its own. */
  readonly suggestedName: string
  /** Too much for the browser's memory: the file is written while it comes, in a place that the person chooses first. */
  readonly isLarge: boolean
  readonly onProgress: (progress: DownloadProgress) => void
  readonly signal: AbortSignal
}

/** What became of a download that did not fail. */
export type DownloadResult = { readonly fileName: string; readonly rows: number } | 'cancelled'

/** The file broke off, or is not what the server said that it would send: nothing of it was saved. */
export class IncompleteDownloadError extends Error {
  readonly progress: DownloadProgress

  constructor(progress: DownloadProgress, cause?: unknown) {
    super(`the download broke off after ${progress.rows} of ${progress.total} rows`, { cause })
    this.name = 'IncompleteDownloadError'
    this.progress = progress
  }
}

/**
 * Saves every usage record of a filter as the server's CSV file: the whole file, or nothing.
 *
 * @throws DownloadCut when fewer or more rows came than X-Row-Count had said
 * @throws AskFailed as `ask` does, before the first byte
 */
export const downloadUsage = async ({
  filter,
  suggestedName: likelyName,
  isLarge: isVast,
  onProgress,
  signal,
}: DownloadRequest): Promise<DownloadResult> => {
  let sink: DownloadSink | undefined
  try {
    // The browser lets a person choose a place only in the very press that asks for it.
    sink = (isVast ? await createFileSink(likelyName) : undefined) ?? createMemorySink()
    const answer = await fetchStream(usage.download, { body: { parameters: toUsageDownloadParameters(filter) }, signal })
    const total = Number(answer.headers.get(ROW_COUNT_HEADER) ?? Number.NaN)
    const rows = await receiveChunks(answer.chunks, total, { sink, onProgress, signal })
    return { fileName: await sink.finish(answer.name || likelyName), rows }
  } catch (failure) {
    await sink?.discard()
    if (signal.aborted || isAbortError(failure)) return 'cancelled'
    throw failure
  }
}

const receiveChunks = async (
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  total: number,
  { sink, onProgress, signal }: { sink: DownloadSink } & Pick<DownloadRequest, 'onProgress' | 'signal'>,
): Promise<number> => {
  const counter = createCsvRowCounter()
  const incomplete = (cause?: unknown): IncompleteDownloadError => new IncompleteDownloadError({ rows: counter.rows(), total }, cause)
  onProgress({ rows: 0, total })
  const source = chunks[Symbol.asyncIterator]()
  for (;;) {
    const next = await source.next().catch((cause: unknown) => {
      throw signal.aborted ? cause : incomplete(cause)
    })
    if (next.done === true) break
    counter.add(next.value)
    await sink.write(next.value)
    onProgress({ rows: counter.rows(), total })
  }
  if (counter.rows() !== total || !counter.isAtEnd()) throw incomplete()
  return total
}

/** Did the person close the window that asks for a place? */
const isAbortError = (failure: unknown): boolean => failure instanceof DOMException && failure.name === 'AbortError'
