import Pdf from 'pdfkit'
import { faces, type Face, type Weight } from './fonts.ts'
import { printable } from './printable-text.ts'
import { firstLinesOf, linesOf } from './text-lines.ts'

/** A4 in points, and the part of it that the text may fill. */
export const SHEET = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 44, bottom: 782 } as const

export const INK = { text: '#1a1f29', muted: '#566072', hairline: '#dfe3e8' } as const

export interface Style {
  readonly weight: Weight
  readonly size: number
  readonly colour: string
  readonly leading: number
}

export const BODY: Style = { weight: 'regular', size: 9, colour: INK.text, leading: 13 }
export const SMALL: Style = { weight: 'regular', size: 8, colour: INK.muted, leading: 12 }
export const HEADING: Style = { weight: 'semibold', size: 11, colour: INK.text, leading: 16 }

/** Pages in the making: what is drawn goes to the current page; `y` is where the next thing may begin. */
export interface Paper {
  readonly pdf: PDFKit.PDFDocument
  /** The root of the structure tree; everything that is read hangs below it. */
  readonly root: PDFKit.PDFStructureElement
  y: number
}

/** The first empty page of a tagged document whose fonts are ready. */
export const newPaper = (language: string, info: PDFKit.DocumentInfo): Paper => {
  const pdf = new Pdf({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info,
    // pdfkit's start font is Helvetica, which would stand in the file without being embedded.
    font: sourceOf(faceOf(BODY)),
  })
  for (const face of Object.values(faces())) pdf.registerFont(face.name, sourceOf(face))
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  return { pdf, root, y: SHEET.top }
}

/** pdfkit also takes an open font, which its types do not tell. */
const sourceOf = (face: Face): string => face.source as unknown as string

/** The space that is left on the current page. */
export const room = (paper: Paper): number => SHEET.bottom - paper.y

export const turnPage = (paper: Paper): void => {
  paper.pdf.addPage()
  paper.y = SHEET.top
}

/** Turns the page unless so much space is left. */
export const makeRoom = (paper: Paper, height: number): void => {
  if (room(paper) < height) turnPage(paper)
}

export const faceOf = ({ weight }: Pick<Style, 'weight'>): Face => faces()[weight]

/** A text of the outside world as lines of the given width, in characters that can be printed. */
export const set = (text: string, style: Style, width: number): readonly string[] =>
  linesOf(printable(text, faceOf(style)), faceOf(style), style.size, width)

/** The same, with an "…" at the end of the last line where the text has more than `most` lines. */
export const setAtMost = (text: string, style: Style, width: number, most: number): readonly string[] =>
  firstLinesOf(printable(text, faceOf(style)), faceOf(style), style.size, width, most)

/** The width of a line without the space at its end. */
export const widthOf = (line: string, style: Style): number => faceOf(style).width(line.trimEnd(), style.size)

export interface Place {
  readonly left: number
  readonly width: number
  readonly align?: 'left' | 'right' | 'center'
}

/** Draws ready lines below one another; the first one's box begins at `top`. */
export const print = (
  { pdf }: Paper,
  lines: readonly string[],
  style: Style,
  { left, width, align = 'left' }: Place,
  top: number,
): void => {
  const share = { left: 0, center: 0.5, right: 1 }[align]
  // The x-height centres a line in its leading better than the font's own ascent does.
  const baseline = style.leading / 2 + style.size * 0.36
  pdf.font(faceOf(style).name).fontSize(style.size).fillColor(style.colour)
  for (const [index, line] of lines.entries()) {
    const x = left + (width - widthOf(line, style)) * share
    pdf.text(line, x, top + index * style.leading + baseline, { lineBreak: false, baseline: 'alphabetic' })
  }
}

/** What pdfkit takes for an element; its types know only a part. */
export interface TagOptions extends PDFKit.Mixins.StructureElementOptions {
  readonly scope?: 'Row' | 'Column'
  readonly bbox?: readonly [left: number, top: number, right: number, bottom: number]
  readonly placement?: 'Block'
}

/** One element of the structure tree with its content, drawn at once. */
export const tag = (paper: Paper, parent: PDFKit.PDFStructureElement, type: string, draw: () => void, options: TagOptions = {}): void => {
  parent.add(paper.pdf.struct(type, options, [draw]))
}

/** An element that is filled step by step; the caller ends it. */
export const openTag = (
  paper: Paper,
  parent: PDFKit.PDFStructureElement,
  type: string,
  options: TagOptions = {},
): PDFKit.PDFStructureElement => {
  const element = paper.pdf.struct(type, options)
  parent.add(element)
  return element
}

/** What is seen and not read: rules, grounds, page numbers, repeated heads. Never inside a `tag`. */
export const furnish = ({ pdf }: Paper, type: 'Pagination' | 'Layout', draw: () => void): void => {
  pdf.markContent('Artifact', { type })
  draw()
  pdf.endMarkedContent()
}

/** A level rule. */
export const rule = (paper: Paper, { left, width }: Place, y: number, colour: string = INK.hairline, thickness = 0.5): void =>
  furnish(paper, 'Layout', () => {
    paper.pdf
      .lineWidth(thickness)
      .moveTo(left, y)
      .lineTo(left + width, y)
      .stroke(colour)
  })
