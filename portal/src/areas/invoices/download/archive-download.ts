import { type ArchiveFormat, DOCUMENT_COUNT_HEADER, invoices } from '@counterfoil/contract/invoices'
import { fetchStream, type StreamedResponse } from '../../../api/call-api.ts'
import { createMemorySink, type DownloadSink } from '../../../api/download-sink.ts'
import { createZipEntryCounter } from './zip-entry-counter.ts'

/** How far a download is: documents of a ZIP, bytes of a PDF. */
export interface ArchiveProgress {
  readonly unit: 'documents' | 'bytes'
  readonly value: number
  readonly total: number
}

export interface ArchiveRequest {
  readonly query: { readonly format: ArchiveFormat } & ({ readonly year: number } | { readonly ids: string })
  /** The file name to use when the server names none. */
  readonly fallbackName: string
  readonly onProgress: (progress: ArchiveProgress) => void
  readonly signal: AbortSignal
}

/** The result of a download that did not fail. */
export type ArchiveResult = { readonly fileName: string; readonly documents: number; readonly bytes: number } | 'cancelled'

/** The file broke off or is not what the server announced. Nothing was saved. */
export class IncompleteArchiveError extends Error {
  override readonly name = 'IncompleteArchiveError'
}

const MEDIA_TYPES: Readonly<Record<ArchiveFormat, string>> = { zip: 'application/zip', pdf: 'application/pdf' }

/**
 * Downloads the PDFs of invoices as one file and saves it: the complete file or nothing (EASE-05). `'cancelled'` when `signal` aborts.
 * @throws IncompleteArchiveError when the file is cut off or has another number of documents than announced
 * @throws ApiError when the server rejects the request
 */
export const downloadArchive = async (request: ArchiveRequest): Promise<ArchiveResult> => {
  const { query, fallbackName, signal } = request
  const sink = createMemorySink(MEDIA_TYPES[query.format])
  try {
    const response = await fetchStream(invoices.archive, { query, signal })
    const bytes = await receive(response, sink, request)
    const documents = Number(response.headers.get(DOCUMENT_COUNT_HEADER))
    return { fileName: await sink.finish(response.name || fallbackName), documents, bytes }
  } catch (failure) {
    await sink.discard()
    if (signal.aborted) return 'cancelled'
    throw failure
  }
}

/**
 * Writes the chunks of the response to the sink and tells the progress. Throws when the file is not complete.
 * @returns the number of bytes received
 */
const receive = async (response: StreamedResponse, sink: DownloadSink, request: ArchiveRequest): Promise<number> => {
  const meter = request.query.format === 'zip' ? zipMeter(response.headers) : pdfMeter(response.headers)
  request.onProgress(meter.progress())
  let bytes = 0
  for await (const chunk of untilBroken(response.chunks, request.signal)) {
    meter.add(chunk)
    bytes += chunk.byteLength
    await sink.write(chunk)
    request.onProgress(meter.progress())
  }
  if (!meter.isComplete()) throw new IncompleteArchiveError('the file is not the announced one')
  return bytes
}

/** Yields the chunks. A connection that breaks throws an IncompleteArchiveError, unless the person cancelled. */
const untilBroken = async function* (chunks: StreamedResponse['chunks'], signal: AbortSignal) {
  try {
    yield* chunks
  } catch (cause) {
    throw signal.aborted ? cause : new IncompleteArchiveError('the connection broke', { cause })
  }
}

interface Meter {
  add(chunk: Uint8Array): void
  progress(): ArchiveProgress
  isComplete(): boolean
}

/** Measures a ZIP in documents, by its entries. Complete when it ends properly with as many as the response's header says. */
const zipMeter = (headers: Headers): Meter => {
  const total = Number(headers.get(DOCUMENT_COUNT_HEADER) ?? Number.NaN)
  const counter = createZipEntryCounter()
  return {
    add: counter.add,
    progress: () => ({ unit: 'documents', value: counter.entries(), total }),
    isComplete: () => counter.isComplete() && counter.entries() === total,
  }
}

const END_OF_PDF = /%%EOF\s*$/
const TAIL_LENGTH = 64

/** Measures a PDF in bytes. Complete when it ends with the end mark and has the announced length, which a proxy may take out. */
const pdfMeter = (headers: Headers): Meter => {
  const total = Number(headers.get('content-length') ?? Number.NaN)
  let value = 0
  let tail = ''
  return {
    add: (chunk) => {
      value += chunk.byteLength
      tail = (tail + String.fromCharCode(...chunk.subarray(-TAIL_LENGTH))).slice(-TAIL_LENGTH)
    },
    progress: () => ({ unit: 'bytes', value, total }),
    isComplete: () => (Number.isNaN(total) || value === total) && END_OF_PDF.test(tail),
  }
}
