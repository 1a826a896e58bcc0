import type { Day } from '@counterfoil/contract/kit/day'
import type { InvoiceDocument } from '../invoice-document.ts'
import { toLegibleColour, tint } from './canvas/print-colour.ts'
import { drawPageHeadersAndFooters } from './canvas/page-header-footer.ts'
import { newCanvas, type Canvas } from './canvas/canvas.ts'
import { pdfInfo } from './canvas/pdf-info.ts'
import { toPrintableText } from './canvas/printable-text.ts'

/** The metadata and the brand of a PDF. */
export interface PdfProperties {
  readonly title: string
  readonly author: string
  /** The creation day. It is not read from a clock, so that the same document gives the same bytes. */
  readonly day: Day
  readonly language: string
  readonly brand: InvoiceDocument['brand']
}

/**
 * Renders a tagged PDF 1.7 file of A4 pages with embedded fonts. The bytes depend on the arguments only.
 * @param draw  draws the content in the brand's colour, darkened when it would not be legible on white
 */
export const renderPdf = async (
  { title, author, day, language, brand }: PdfProperties,
  draw: (canvas: Canvas, colour: string) => void,
): Promise<Uint8Array<ArrayBuffer>> => {
  const titleLine = toOneLine(title)
  const canvas = newCanvas(toLanguageTag(language), pdfInfo(titleLine, toOneLine(author), day))
  const file = readBytes(canvas)
  draw(canvas, toLegibleColour(brand.colour))
  canvas.root.end()
  drawPageHeadersAndFooters(canvas, `${brand.name} · ${titleLine}`, tint(brand.colour, 1))
  canvas.pdf.end()
  return file
}

/** Reads the whole file; resolves once the document has ended. */
const readBytes = async ({ pdf }: Canvas): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Uint8Array[] = []
  for await (const part of pdf) parts.push(part as Uint8Array)
  return Uint8Array.from(Buffer.concat(parts))
}

/** A text for the file's metadata: printable, in one line, cut when it is too long. */
const toOneLine = (text: string): string => toPrintableText(text, 'regular').replaceAll('\n', ' ').slice(0, 200).toWellFormed()

/** The document's language in canonical form. Screen readers choose a voice by it, so an invalid one becomes English. */
const toLanguageTag = (language: string): string => {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
