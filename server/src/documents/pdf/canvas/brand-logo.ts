import { inflateSync } from 'node:zlib'
import drawSvg from 'svg-to-pdfkit'
import { mainFont } from './fonts.ts'
import type { InvoiceDocument } from '../../invoice-document.ts'
import { newCanvas, drawText, wrapTextToLines, addElement, type Canvas, type Style } from './canvas.ts'

type Brand = InvoiceDocument['brand']

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Draws the brand's logo at the left of a box, or the brand's name when there is no readable logo. */
export const drawLogo = (canvas: Canvas, brand: Brand, box: Box, colour: string): void => {
  const draw = brand.logo === null ? null : drawingOf(brand.logo)
  if (draw !== null && isDrawable(draw, box)) {
    const bbox = [box.left, box.top, box.left + box.width, box.top + box.height] as const
    addElement(canvas, canvas.root, 'Figure', () => draw(canvas.pdf, box), { alt: brand.name, bbox, placement: 'Block' })
  } else drawName(canvas, brand.name, box, colour)
}

const NAME: Style = { weight: 'semibold', size: 18, colour: '', leading: 22 }

/** Draws the brand's name, in two lines at most, in place of a logo. */
const drawName = (canvas: Canvas, name: string, box: Box, colour: string): void => {
  const lines = wrapTextToLines(name, NAME, box.width, 2)
  addElement(canvas, canvas.root, 'P', () => drawText(canvas, lines, { ...NAME, colour }, box, box.top - 2))
}

type Drawing = (pdf: PDFKit.PDFDocument, box: Box) => void

/** What draws a logo: as vectors for an SVG, else as a bitmap. */
const drawingOf = ({ contentType, bytes }: NonNullable<Brand['logo']>): Drawing =>
  /svg/i.test(contentType) ? vectorDrawing(new TextDecoder().decode(bytes)) : bitmapDrawing(bytes)

/** A method of pdfkit that its types do not declare. */
type PdfWithOpenImage = PDFKit.PDFDocument & { openImage(bytes: Uint8Array): { readonly imgData?: Uint8Array } }

const MAX_PIXEL_BYTES = 64 * 1024 * 1024

/** Makes the drawing of a PNG or JPEG. Drawing throws for any other or a broken file. */
const bitmapDrawing =
  (bytes: Uint8Array): Drawing =>
  (pdf, { left, top, width, height }) => {
    const { imgData } = (pdf as PdfWithOpenImage).openImage(Buffer.from(bytes))
    // pdfkit decompresses a PNG's pixels later, where a broken one would end the thread.
    if (imgData !== undefined) inflateSync(imgData, { maxOutputLength: MAX_PIXEL_BYTES })
    pdf.image(Buffer.from(bytes), left, top, { fit: [width, height], valign: 'center' })
  }

/** Makes the drawing of an SVG, which cannot read other files or addresses, load fonts, or leave links on the page. */
const vectorDrawing =
  (svg: string): Drawing =>
  (pdf, { left, top, width, height }) => {
    const links: unknown[] = pdf.page.annotations
    const before = links.length
    drawSvg(pdf, svg, left, top, {
      width,
      height,
      preserveAspectRatio: 'xMinYMid meet',
      fontCallback: (_family, isBold) => mainFont(isBold ? 'semibold' : 'regular').name,
      imageCallback: (link) => (/^data:image\/(png|jpeg);base64,/.test(link) ? link : 'data:,'),
      warningCallback: (warning) => {
        if (warning.includes('valid SVG')) throw new Error(warning)
      },
    })
    links.length = before
  }

/** Whether the drawing throws nothing. It may fail halfway, so it is tried on a throwaway document. */
const isDrawable = (draw: Drawing, box: Box): boolean => {
  try {
    draw(newCanvas('en', {}).pdf, box)
    return true
  } catch {
    return false
  }
}
