import type { Day } from '@counterfoil/contract/kit/day'
import type { InvoiceDocument } from '../../invoice-document.ts'
import { legibleOnWhite, tinted } from './print-colour.ts'
import { drawFurniture } from './page-header-footer.ts'
import { BODY, faceOf, newPaper, type Paper } from './canvas.ts'
import { pdfInfo } from './pdf-info.ts'
import { printable } from './printable-text.ts'

/** What a PDF is called, whose it is, and what it looks like. */
export interface PdfFrame {
  readonly title: string
  readonly author: string
  /** The day of making: no clock is asked, so that the same document gives the same bytes. */
  readonly day: Day
  readonly language: string
  readonly brand: InvoiceDocument['brand']
}

/**
 * A PDF 1.7 file of A4 pages: tagged, with embedded fonts, made without clock or chance.
 * @param draw  draws the content in the brand's colour, darkened where it would not be legible on white
 */
export const wholePdf = async (
  { title, author, day, language, brand }: PdfFrame,
  draw: (paper: Paper, colour: string) => void,
): Promise<Uint8Array<ArrayBuffer>> => {
  const titled = oneLineOf(title)
  const paper = newPaper(languageOf(language), pdfInfo(titled, oneLineOf(author), day))
  const file = bytesOf(paper)
  draw(paper, legibleOnWhite(brand.colour))
  paper.root.end()
  drawFurniture(paper, `${brand.name} · ${titled}`, tinted(brand.colour, 1))
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
