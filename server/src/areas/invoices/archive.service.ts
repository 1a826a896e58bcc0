import { Readable } from 'node:stream'
import { type ArchiveFormat, DOCUMENT_COUNT_HEADER, type invoices } from '@counterfoil/contract/invoices'
import { toFileName } from '@counterfoil/contract/kit/file-name'
import type { RequestInput } from '@counterfoil/contract/kit/http/endpoint'
import type { JoinResult, PdfFile } from '../../documents/pdf/join-pdfs.ts'
import { zipChunks, type ZippedFile } from '../../documents/zip-files.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { ExportLimit } from '../usage/export-limit.service.ts'
import { type ArchivedInvoice, archivedInvoices, invoicesLabel } from './archive.queries.ts'
import { archiveNames, assertArchivable, maxArchivedInvoices, parseArchiveSelection } from './archive.rules.ts'
import { type InvoicesDeps, loadArchivedPdf, rethrowAsApiError } from './invoices.service.ts'

export interface ArchiveDeps extends InvoicesDeps {
  readonly archives: ExportLimit
}

/** All files of one PDF are in memory at once. */
const MAX_JOINED_BYTES = 64 * 1024 * 1024

interface Archive {
  /** Without its ending. */
  readonly name: string
  readonly invoices: readonly ArchivedInvoice[]
}

/**
 * The PDFs of a year or of chosen invoices as one ZIP, or as one PDF. A ZIP is made while it is read: one document is in memory at a time.
 * @throws ApiError 400, 404 as `parseArchiveSelection` and `assertArchivable`; 429 while other archives are made; 409
 * naming the invoice whose file cannot be joined
 */
export const openInvoiceArchive = async (
  deps: ArchiveDeps,
  request: CustomerRequestContext,
  query: RequestInput<typeof invoices.archive>['query'],
): Promise<FileResponse> => {
  const archive = await findArchive(request, query)
  const release = deps.archives.acquire(request)
  const headers = { [DOCUMENT_COUNT_HEADER]: String(archive.invoices.length) }
  try {
    const file =
      query.format === 'zip'
        ? { contentType: 'application/zip', body: Readable.from(zipChunks(zippedFiles(deps, request, archive)), { objectMode: false }) }
        : { contentType: 'application/pdf', body: await joinedPdf(deps, request, archive) }
    request.whenAnswered(release)
    return { ...file, fileName: `${archive.name}.${query.format}`, headers }
  } catch (error) {
    release()
    throw error
  }
}

/** The archive's name and its invoices' numbers, no files yet. @throws ApiError as openInvoiceArchive */
const findArchive = async (
  { scope, transact }: CustomerRequestContext,
  query: { format: ArchiveFormat; year?: number; ids?: string },
): Promise<Archive> => {
  const selection = parseArchiveSelection(query)
  const { found, label } = await transact(async (db) => ({
    found: await archivedInvoices(db, scope, selection, maxArchivedInvoices(query.format) + 1),
    label: await invoicesLabel(db, scope),
  }))
  assertArchivable(selection, found.length, query.format)
  return { name: toFileName('year' in selection ? `${label}_${selection.year}` : label), invoices: found }
}

/** Makes the PDFs of an archive, each when it is asked for. */
async function* zippedFiles(deps: ArchiveDeps, request: CustomerRequestContext, { invoices }: Archive): AsyncGenerator<ZippedFile> {
  const names = archiveNames(invoices.map(({ number }) => number))
  for (const [at, { id, generatedAt }] of invoices.entries()) {
    const bytes = await loadArchivedPdf(deps, request, id)
    yield { name: names[at] ?? `${id}.pdf`, bytes, changedAt: generatedAt }
  }
}

/**
 * Makes the PDFs of an archive and joins them to one, in memory.
 * @throws ApiError where they are too large together, one cannot be joined, or the client has left
 */
const joinedPdf = async (deps: ArchiveDeps, request: CustomerRequestContext, { name, invoices }: Archive): Promise<Uint8Array> => {
  const files: PdfFile[] = []
  let total = 0
  for (const { id, number } of invoices) {
    if (request.hasLeft()) throw new ApiError('unreadable_request', 'The request was broken off.')
    const bytes = await loadArchivedPdf(deps, request, id)
    total += bytes.byteLength
    if (total > MAX_JOINED_BYTES)
      throw new ApiError('too_many_records', 'One PDF of these would be too large. Download a ZIP, or choose fewer.')
    files.push({ name: number, bytes })
  }
  const result: JoinResult = await deps.renderer.join(name, files).catch(rethrowAsApiError)
  if ('pdf' in result) return result.pdf
  throw new ApiError('document_unreadable', `The file of ${result.unreadable} is no PDF that can be joined. Download a ZIP instead.`)
}
