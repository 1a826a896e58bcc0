import { toUsageDownloadParameters, type UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { ROW_COUNT_HEADER, usage } from '@counterfoil/contract/usage'
import { fetchStream } from '../../api/call-api.ts'
import { createCsvRowCounter } from './csv-row-counter.ts'
import { type DownloadProgress, IncompleteDownloadError } from './incomplete-download-error.ts'
import { type DownloadSink, createFileSink, createMemorySink } from '../../api/download-sink.ts'

const CSV_TYPE = 'text/csv'

export interface DownloadRequest {
  readonly filter: UsageFilter
  /** The file name to suggest before the server has sent its own. */
  readonly suggestedName: string
  /** The file is too large for the browser's memory: it is written to a file that the person picks first. */
  readonly isLarge: boolean
  readonly onProgress: (progress: DownloadProgress) => void
  readonly signal: AbortSignal
}

/** The result of a download that did not fail. */
export type DownloadResult = { readonly fileName: string; readonly rows: number; readonly bytes: number } | 'cancelled'

/**
 * Saves every usage record of a filter as the server's CSV file: the complete file or nothing (USG-07). `'cancelled'` when the person
 * cancels.
 * @throws IncompleteDownloadError when the number of rows differs from X-Row-Count
 * @throws ApiError when the server rejects the request
 */
export const downloadUsage = async ({ filter, suggestedName, isLarge, onProgress, signal }: DownloadRequest): Promise<DownloadResult> => {
  let sink: DownloadSink | undefined
  try {
    // Browsers open the file picker only during the click that asks for it.
    sink = (isLarge ? await createFileSink(suggestedName, CSV_TYPE, '.csv') : undefined) ?? createMemorySink(CSV_TYPE)
    const response = await fetchStream(usage.download, { body: { parameters: toUsageDownloadParameters(filter) }, signal })
    const total = Number(response.headers.get(ROW_COUNT_HEADER) ?? Number.NaN)
    const bytes = await receiveChunks(response.chunks, total, { sink, onProgress, signal })
    return { fileName: await sink.finish(response.name || suggestedName), rows: total, bytes }
  } catch (failure) {
    await sink?.discard()
    if (signal.aborted || isAbortError(failure)) return 'cancelled'
    throw failure
  }
}

/**
 * Writes the chunks to the sink, counts the rows and tells the progress. Throws an IncompleteDownloadError unless there are `total` rows.
 * @returns the number of bytes received
 */
const receiveChunks = async (
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  total: number,
  { sink, onProgress, signal }: { sink: DownloadSink } & Pick<DownloadRequest, 'onProgress' | 'signal'>,
): Promise<number> => {
  const counter = createCsvRowCounter()
  let bytes = 0
  const incomplete = (cause?: unknown): IncompleteDownloadError => new IncompleteDownloadError({ rows: counter.rows(), total }, cause)
  onProgress({ rows: 0, total })
  const source = chunks[Symbol.asyncIterator]()
  for (;;) {
    const next = await source.next().catch((cause: unknown) => {
      throw signal.aborted ? cause : incomplete(cause)
    })
    if (next.done === true) break
    counter.add(next.value)
    bytes += next.value.length
    await sink.write(next.value)
    onProgress({ rows: counter.rows(), total })
  }
  if (counter.rows() !== total || !counter.isAtEnd()) throw incomplete()
  return bytes
}

/** Whether the person closed the file picker. */
const isAbortError = (failure: unknown): boolean => failure instanceof DOMException && failure.name === 'AbortError'
