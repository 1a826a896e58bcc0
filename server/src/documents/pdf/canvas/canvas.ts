import Pdf from 'pdfkit'
import { mainFont, type Weight } from './fonts.ts'
import type { DocumentFont } from './open-font.ts'
import { toPrintableText } from './printable-text.ts'
import { wrapMaxLines, wrapLines } from './text-lines.ts'
import { isRightToLeft, lineWidth, textRuns } from './text-runs.ts'

/** A4 in points, and the area for text. */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 44, bottom: 782 } as const

export const COLOURS = { text: '#1a1f29', muted: '#566072', hairline: '#dfe3e8' } as const

export interface Style {
  readonly weight: Weight
  readonly size: number
  readonly colour: string
  readonly leading: number
}

export const BODY: Style = { weight: 'regular', size: 9, colour: COLOURS.text, leading: 13 }
export const SMALL: Style = { weight: 'regular', size: 8, colour: COLOURS.muted, leading: 12 }
export const HEADING: Style = { weight: 'semibold', size: 11, colour: COLOURS.text, leading: 16 }

/** A PDF being drawn: drawing goes to the current page, and `y` is the top of its free space. */
export interface Canvas {
  readonly pdf: PDFKit.PDFDocument
  /** The root of the structure tree, which holds everything that screen readers read. */
  readonly root: PDFKit.PDFStructureElement
  y: number
}

/** Creates a tagged document with an empty first page and registered fonts. */
export const newCanvas = (language: string, info: PDFKit.DocumentInfo): Canvas => {
  const pdf = new Pdf({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info,
    // pdfkit's default font is Helvetica, which would be referenced without being embedded.
    font: pdfkitSource(mainFont(BODY.weight)),
  })
  // Logos name fonts that pdfkit has not opened yet.
  for (const font of (['regular', 'semibold'] as const).map(mainFont)) pdf.registerFont(font.name, pdfkitSource(font))
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  return { pdf, root, y: PAGE.top }
}

/** The opened font as pdfkit takes it, which its types do not declare. */
const pdfkitSource = (font: DocumentFont): string => font.source as unknown as string

/** The free height on the current page, in points. */
export const remainingHeight = (canvas: Canvas): number => PAGE.bottom - canvas.y

/** Adds an empty page and moves to its top. */
export const addPage = (canvas: Canvas): void => {
  canvas.pdf.addPage()
  canvas.y = PAGE.top
}

/** Starts a new page unless this height is free. */
export const ensureHeight = (canvas: Canvas, height: number): void => {
  if (remainingHeight(canvas) < height) addPage(canvas)
}

/** Wraps any text into lines of a width, in printable characters. */
export const wrapText = (text: string, style: Style, width: number): readonly string[] =>
  wrapLines(toPrintableText(text, style.weight), style.weight, style.size, width)

/** Like `wrapText`, cut with "…" after `maxLines` lines. */
export const wrapTextToLines = (text: string, style: Style, width: number, maxLines: number): readonly string[] =>
  wrapMaxLines(toPrintableText(text, style.weight), style.weight, style.size, width, maxLines)

/** The width of a line without trailing space, in points. */
export const textWidth = (line: string, style: Style): number => lineWidth(line.trimEnd(), style.weight, style.size)

export interface TextBox {
  readonly left: number
  readonly width: number
  readonly align?: 'left' | 'right' | 'center'
}

const LINE_OPTIONS: PDFKit.Mixins.TextOptions = { lineBreak: false, baseline: 'alphabetic', features: [] }

/** Draws lines, already wrapped, below one another from `top` on. The canvas's position stays, and no page is begun. */
export const drawText = (
  { pdf }: Canvas,
  lines: readonly string[],
  style: Style,
  { left, width, align = 'left' }: TextBox,
  top: number,
): void => {
  const offsetShare = { left: 0, center: 0.5, right: 1 }[align]
  // The x-height centres a line in its leading better than the font's own ascent does.
  const baseline = style.leading / 2 + style.size * 0.36
  pdf.fontSize(style.size).fillColor(style.colour)
  for (const [index, line] of lines.entries()) {
    let x = left + (width - textWidth(line, style)) * offsetShare
    for (const { font, text } of textRuns(isRightToLeft(line) ? line.trimEnd() : line, style.weight)) {
      // With features, even none, pdfkit does not divide the text into words, which it would place from left to right.
      pdf.font(pdfkitSource(font), font.name).text(text, x, top + index * style.leading + baseline, LINE_OPTIONS)
      x += font.width(text, style.size)
    }
  }
}

/** All options that pdfkit accepts for an element; its types declare only some. */
export interface ElementOptions extends PDFKit.Mixins.StructureElementOptions {
  readonly scope?: 'Row' | 'Column'
  readonly bbox?: readonly [left: number, top: number, right: number, bottom: number]
  readonly placement?: 'Block'
}

/** Adds an element with its content to the structure tree. */
export const addElement = (
  canvas: Canvas,
  parent: PDFKit.PDFStructureElement,
  type: string,
  draw: () => void,
  options: ElementOptions = {},
): void => {
  parent.add(canvas.pdf.struct(type, options, [draw]))
}

/** Adds an element to the structure tree that the caller fills step by step and must end. */
export const openElement = (
  canvas: Canvas,
  parent: PDFKit.PDFStructureElement,
  type: string,
  options: ElementOptions = {},
): PDFKit.PDFStructureElement => {
  const element = canvas.pdf.struct(type, options)
  parent.add(element)
  return element
}

/** Draws what screen readers skip: rules, backgrounds, page numbers, repeated headings. Not allowed inside an element. */
export const drawArtifact = ({ pdf }: Canvas, type: 'Pagination' | 'Layout', draw: () => void): void => {
  pdf.markContent('Artifact', { type })
  draw()
  pdf.endMarkedContent()
}

/** Draws a horizontal rule. */
export const drawRule = (canvas: Canvas, { left, width }: TextBox, y: number, colour: string = COLOURS.hairline, thickness = 0.5): void =>
  drawArtifact(canvas, 'Layout', () => {
    canvas.pdf
      .lineWidth(thickness)
      .moveTo(left, y)
      .lineTo(left + width, y)
      .stroke(colour)
  })
