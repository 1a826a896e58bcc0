import { drawCharges } from './charges.ts'
import { drawClosing } from './closing.ts'
import type { InvoiceDocument } from '../../invoice-document.ts'
import { drawHead, invoiceFacts } from './head.ts'
import { drawSummary } from './summary.ts'
import { drawTotals } from './totals.ts'
import type { Paper } from '../canvas/canvas.ts'
import { webAddress } from '../canvas/link.ts'
import { type PdfFrame, wholePdf } from '../canvas/render-pdf.ts'

/**
 * An invoice as a PDF 1.7 file of A4 pages: tagged, with embedded fonts, made without clock or chance, so that the same
 * document gives the same bytes. Whatever stands in the document's texts is printed; it never clips, overlaps or fails.
 *
 * Occupies its thread (some 50 ms a page): `documentRenderer` is the door for callers.
 */
export const invoicePdf = (document: InvoiceDocument): Promise<Uint8Array<ArrayBuffer>> =>
  wholePdf(invoiceFrame(document), (paper, colour) => drawInvoice(paper, document, colour))

export const invoiceFrame = ({ title, number, seller, issuedOn, language, brand }: InvoiceDocument): PdfFrame => ({
  title: `${title} ${number}`,
  author: seller.name,
  day: issuedOn,
  language,
  brand,
})

/** Everything that an invoice says, from the top of an empty paper. */
export const drawInvoice = (paper: Paper, given: InvoiceDocument, colour: string): void => {
  const document = { ...given, paymentUrl: given.paymentUrl === null ? null : webAddress(given.paymentUrl) }
  drawHead(paper, document, invoiceFacts(document), colour)
  drawSummary(paper, document, colour)
  drawCharges(paper, document, colour)
  const beside = drawTotals(paper, document, colour)
  drawClosing(paper, document, colour, beside)
}
