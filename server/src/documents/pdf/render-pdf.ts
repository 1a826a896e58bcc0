import type { Day } from '@counterfoil/contract/kit/day'
import type { InvoiceDocument } from '../invoice-document.ts'
import { toLegibleColour, tint } from './canvas/print-colour.ts'
import { drawPageHeadersAndFooters } from './canvas/page-header-footer.ts'
import { BODY, fontOf, newCanvas, type Canvas } from './canvas/canvas.ts'
import { pdfInfo } from './canvas/pdf-info.ts'
import { toPrintableText } from './canvas/printable-text.ts'

/** What a PDF is called, whose it is, and what it looks like. */
export interface PdfProperties {
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

const readBytes = async ({ pdf }: Canvas): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Uint8Array[] = []
  for await (const part of pdf) parts.push(part as Uint8Array)
  return Uint8Array.from(Buffer.concat(parts))
}

const toOneLine = (text: string): string => toPrintableText(text, fontOf(BODY)).replaceAll('\n', ' ').slice(0, 200).toWellFormed()

/** Readers that speak choose a voice by it, so a language that is none becomes English. */
const toLanguageTag = (language: string): string => {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
