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
 * Renders an invoice as a tagged PDF 1.7 file of A4 pages with embedded fonts: the same bytes for the same document.
 * Any text is printed without clipping, overlapping or failing.
 *
 * Blocks its thread (some 50 ms a page), so servers call it through `documentRenderer`.
 */
export const invoicePdf = (document: InvoiceDocument): Promise<Uint8Array<ArrayBuffer>> =>
  renderPdf(invoiceProperties(document), (canvas, colour) => drawInvoice(canvas, document, colour))

/** The metadata of an invoice's PDF. */
export const invoiceProperties = ({ title, number, seller, issuedOn, language, brand }: InvoiceDocument): PdfProperties => ({
  title: `${title} ${number}`,
  author: seller.name,
  day: issuedOn,
  language,
  brand,
})

/** Draws a whole invoice, beginning at the top of an empty page. */
export const drawInvoice = (canvas: Canvas, invoice: InvoiceDocument, colour: string): void => {
  const document = { ...invoice, paymentUrl: invoice.paymentUrl === null ? null : webAddress(invoice.paymentUrl) }
  drawHead(canvas, document, invoiceFacts(document), colour)
  drawSummary(canvas, document, colour)
  drawCharges(canvas, document, colour)
  const spaceBeside = drawTotals(canvas, document, colour)
  drawPaymentAndTerms(canvas, document, colour, spaceBeside)
}
