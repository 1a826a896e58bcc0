import { drawCharges } from './charges.ts'
import { drawPaymentAndTerms } from './payment-and-terms.ts'
import type { InvoiceDocument } from '../../invoice-document.ts'
import { drawHead, invoiceFacts } from './head.ts'
import { drawSummary } from './summary.ts'
import { drawTotals } from './totals.ts'
import type { Canvas } from '../canvas/canvas.ts'
import { webAddress } from '../canvas/link.ts'
import { type PdfProperties, renderPdf } from '../render-pdf.ts'

/**
 * An invoice as a PDF 1.7 file of A4 pages: tagged, with embedded fonts, made without clock or chance, so that the same
 * document gives the same bytes. Whatever stands in the document's texts is printed; it never clips, overlaps or fails.
 *
 * Occupies its thread (some 50 ms a page): `documentRenderer` is the door for callers.
 */
export const invoicePdf = (document: InvoiceDocument): Promise<Uint8Array<ArrayBuffer>> =>
  renderPdf(invoiceProperties(document), (canvas, colour) => drawInvoice(canvas, document, colour))

export const invoiceProperties = ({ title, number, seller, issuedOn, language, brand }: InvoiceDocument): PdfProperties => ({
  title: `${title} ${number}`,
  author: seller.name,
  day: issuedOn,
  language,
  brand,
})

/** Everything that an invoice says, from the top of an empty paper. */
export const drawInvoice = (canvas: Canvas, invoice: InvoiceDocument, colour: string): void => {
  const document = { ...invoice, paymentUrl: invoice.paymentUrl === null ? null : webAddress(invoice.paymentUrl) }
  drawHead(canvas, document, invoiceFacts(document), colour)
  drawSummary(canvas, document, colour)
  drawCharges(canvas, document, colour)
  const spaceBeside = drawTotals(canvas, document, colour)
  drawPaymentAndTerms(canvas, document, colour, spaceBeside)
}
