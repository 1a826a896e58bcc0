import { type Day, dayOf } from '@counterfoil/contract/kit/day'
import { toFileName } from '@counterfoil/contract/kit/file-name'
import type { InvoiceDocument } from '../../documents/invoice-document.ts'
import type { Keys } from '../../kit/keys.ts'
import { type Renderer, RendererBusy } from '../../documents/renderer.ts'
import type { PaymentsDeps } from '../../payments/payments-deps.ts'
import { notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { toInvoiceDocument } from './invoice-document.rules.ts'
import { type InvoiceHead, invoiceHead, invoiceLines, invoiceTaxes, attachedDocument } from './invoices.queries.ts'

export { statusOn } from './invoices.rules.ts'

export interface InvoicesDeps {
  readonly payments: PaymentsDeps
  readonly renderer: Renderer
  readonly publicUrl: string
}

/** What is needed of a request to read an invoice. */
export type InvoiceReader = Pick<CustomerRequestContext, 'transact' | 'now'> & { readonly scope: CustomerScope }

/**
 * An invoice as a PDF: the file that the billing engine delivered, else one rendered from its lines.
 * @throws ApiError 404, the same for a foreign and a missing invoice; 503 while too many are being rendered
 */
export const loadInvoicePdf = async (deps: InvoicesDeps, request: InvoiceReader, id: number): Promise<FileResponse> => {
  const invoice = await readInvoicePdf(deps, request, id)
  const body = 'bytes' in invoice ? invoice.bytes : await deps.renderer.invoice(invoice.document).catch(rethrowAsApiError)
  return { contentType: 'application/pdf', fileName: `${toFileName(invoice.number)}.pdf`, body }
}

/**
 * The PDF of an invoice for an archive of many: the delivered file, else one rendered behind documents that somebody waits for.
 * @throws ApiError 404
 */
export const loadArchivedPdf = async (deps: InvoicesDeps, request: CustomerRequestContext, id: number): Promise<Uint8Array> => {
  const invoice = await readInvoicePdf(deps, request, id, { pool: 'background' })
  return 'bytes' in invoice ? invoice.bytes : deps.renderer.archivedInvoice(invoice.document)
}

/** The billing engine's file of an invoice, or the content from which ours is rendered. @throws ApiError 404 */
const readInvoicePdf = (
  { payments: { keys }, publicUrl }: InvoicesDeps,
  { scope, transact, now }: InvoiceReader,
  id: number,
  options?: Parameters<typeof transact>[1],
): Promise<{ number: string } & ({ bytes: Buffer } | { document: InvoiceDocument })> =>
  transact(async (db) => {
    const own = await attachedDocument(db, scope, id)
    if (own === undefined) throw notFound()
    if (own.bytes !== null) return { number: own.number, bytes: own.bytes }
    const head = await invoiceHead(db, scope, id)
    if (head === undefined) throw notFound()
    const [lines, taxes] = [await invoiceLines(db, scope, id), await invoiceTaxes(db, scope, id)]
    const document = toInvoiceDocument(head, lines, taxes, { keys, today: dayOf(now), origin: linkOrigin(head, publicUrl) })
    return { number: own.number, document }
  }, options)

/** The origin of the links in an invoice document: the brand's own domain, else the installation's. */
const linkOrigin = ({ brandDomain }: InvoiceHead, publicUrl: string): string =>
  brandDomain === null ? publicUrl : `https://${brandDomain}`

/** An invoice document, and the usage that it bills. */
export interface FullInvoice {
  readonly document: InvoiceDocument
  readonly period: { readonly from: Day; readonly to: Day } | null
  readonly agreementId: number | null
}

/**
 * Loads the content of an invoice's PDF (never the delivered file), with period and agreement; undefined when the customer has no such
 * invoice.
 */
export const loadFullInvoice = (
  { scope, transact }: Pick<InvoiceReader, 'scope' | 'transact'>,
  id: number,
  { keys, today, publicUrl }: { keys: Keys; today: Day; publicUrl: string },
): Promise<FullInvoice | undefined> =>
  transact(
    async (db) => {
      const head = await invoiceHead(db, scope, id)
      if (head === undefined) return undefined
      const [lines, taxes] = [await invoiceLines(db, scope, id), await invoiceTaxes(db, scope, id)]
      const { periodStartsOn: from, periodEndsOn: to } = head
      return {
        document: toInvoiceDocument(head, lines, taxes, { keys, today, origin: linkOrigin(head, publicUrl) }),
        period: from === null || to === null ? null : { from, to },
        agreementId: head.agreement_id,
      }
    },
    { pool: 'background' },
  )

/** Throws: a full queue of the renderer as a 503, every other error as it is. */
export const rethrowAsApiError = (error: unknown): never => {
  if (error instanceof RendererBusy)
    throw new ApiError('busy', 'Many documents are being made just now. Please try again in a moment.', { retryAfter: 5 })
  throw error
}
