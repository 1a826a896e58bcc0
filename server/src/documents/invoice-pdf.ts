import { drawCharges } from './invoice-charges.ts'
import { drawClosing } from './invoice-closing.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import { drawHead } from './invoice-head.ts'
import { drawSummary } from './invoice-summary.ts'
import { drawTotals } from './invoice-totals.ts'
import { legibleOnWhite, tinted } from './legible-colour.ts'
import { drawFurniture } from './page-furniture.ts'
import { BODY, faceOf, newPaper, type Paper } from './paper.ts'
import { pdfInfo } from './pdf-info.ts'
import { webAddress } from './pdf-link.ts'
import { printable } from './printable-text.ts'

/**
 * An invoice as a PDF 1.7 file of A4 pages: tagged, with embedded fonts, made without clock or chance, so that the same
 * document gives the same bytes. Whatever stands in the document's texts is printed; it never clips, overlaps or fails.
 *
 * Occupies its thread (some 50 ms a page): `documentRenderer` is the door for callers.
 */
export const invoicePdf = async (given: InvoiceDocument): Promise<Uint8Array<ArrayBuffer>> => {
  const document = { ...given, paymentUrl: given.paymentUrl === null ? null : webAddress(given.paymentUrl) }
  const colour = legibleOnWhite(document.brand.colour)
  const titled = oneLineOf(`${document.title} ${document.number}`)
  const paper = newPaper(languageOf(document.language), pdfInfo(titled, oneLineOf(document.seller.name), document.issuedOn))
  const file = bytesOf(paper)

  drawHead(paper, document, colour)
  drawSummary(paper, document, colour)
  drawCharges(paper, document, colour)
  const beside = drawTotals(paper, document, colour)
  drawClosing(paper, document, colour, beside)
  paper.root.end()
  drawFurniture(paper, `${document.brand.name} · ${titled}`, tinted(document.brand.colour, 1))
  paper.pdf.end()
  return file
}

const bytesOf = async ({ pdf }: Paper): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Uint8Array[] = []
  for await (const part of pdf) parts.push(part as Uint8Array)
  return Uint8Array.from(Buffer.concat(parts))
}

const oneLineOf = (text: string): string => printable(text, faceOf(BODY)).replaceAll('\n', ' ').slice(0, 200).toWellFormed()

/** Readers that speak choose a voice by it, so a language that is none becomes English. */
const languageOf = (language: string): string => {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
