import type { InvoiceDocument } from '../../invoice-document.ts'
import type { SpaceBeside } from './totals.ts'
import {
  BODY,
  HEADING,
  ensureHeight,
  openElement,
  drawText,
  remainingHeight,
  wrapText,
  PAGE,
  addElement,
  addPage,
  textWidth,
  type Canvas,
  type TextBox,
  type Style,
} from '../canvas/canvas.ts'
import { drawLink } from '../canvas/link.ts'

const TEXT: Style = { ...BODY, size: 8.5, leading: 12 }
const HEADING_HEIGHT = HEADING.leading + 2
const GAP = 14
/** How far the text beside the totals may extend below them, in points. */
const MAX_OVERHANG = 110

/** Draws the payment address and the terms: beside the totals when they are short, else below them. */
export const drawPaymentAndTerms = (canvas: Canvas, document: InvoiceDocument, colour: string, { top, width }: SpaceBeside): void => {
  const beside = { left: PAGE.left, width }
  const sectionsBottom = top + paymentAndTermsHeight(document, beside) - GAP
  const totalsBottom = canvas.y
  if (sectionsBottom <= Math.min(PAGE.bottom, totalsBottom + MAX_OVERHANG)) {
    canvas.y = top
    drawSections(canvas, document, colour, beside)
    canvas.y = Math.max(totalsBottom, canvas.y)
  } else {
    canvas.y += GAP
    drawSections(canvas, document, colour, { left: PAGE.left, width: PAGE.right - PAGE.left })
  }
}

/** The height that payment address and terms need in a box; 0 where an invoice has neither. */
const paymentAndTermsHeight = ({ paymentUrl, terms }: InvoiceDocument, box: TextBox): number =>
  [paymentUrl, terms].reduce(
    (height, text) => height + (hasText(text) ? HEADING_HEIGHT + wrapText(text, TEXT, box.width).length * TEXT.leading + GAP : 0),
    0,
  )

/** Whether there is more than blanks. */
const hasText = (text: string | null): text is string => text !== null && text.trim() !== ''

/** Draws payment address and terms below one another; what an invoice lacks is left out. */
const drawSections = (canvas: Canvas, { paymentUrl, terms }: InvoiceDocument, colour: string, box: TextBox): void => {
  if (hasText(paymentUrl)) {
    drawHeading(canvas, 'Pay online', box)
    drawPaymentAddress(canvas, paymentUrl, { ...TEXT, colour }, box)
  }
  if (hasText(terms)) {
    drawHeading(canvas, 'Terms', box)
    drawParagraph(canvas, terms, box)
  }
}

/** Draws a heading, on a new page unless some lines fit below it. */
const drawHeading = (canvas: Canvas, heading: string, box: TextBox): void => {
  ensureHeight(canvas, HEADING_HEIGHT + 3 * TEXT.leading)
  const top = canvas.y
  addElement(canvas, canvas.root, 'H2', () => drawText(canvas, [heading], HEADING, box, top))
  canvas.y += HEADING_HEIGHT
}

/** Draws the address of the payment page in full, each of its lines a link. */
const drawPaymentAddress = (canvas: Canvas, address: string, style: Style, box: TextBox): void => {
  const lines = wrapText(address, style, box.width)
  ensureHeight(canvas, lines.length * style.leading)
  const top = canvas.y
  const linkAreas = lines.map((line, index) => ({
    left: box.left,
    top: top + index * style.leading,
    width: textWidth(line, style),
    height: style.leading,
  }))
  drawLink(canvas, address, 'Pay this invoice online', linkAreas, () => drawText(canvas, lines, style, box, top))
  canvas.y += lines.length * style.leading + GAP
}

/** Draws one paragraph over as many pages as it needs. */
const drawParagraph = (canvas: Canvas, text: string, box: TextBox): void => {
  const lines = wrapText(text, TEXT, box.width)
  const paragraph = openElement(canvas, canvas.root, 'P')
  for (let first = 0; first < lines.length; ) {
    if (remainingHeight(canvas) < TEXT.leading) addPage(canvas)
    const part = lines.slice(first, first + Math.floor(remainingHeight(canvas) / TEXT.leading))
    paragraph.add(() => drawText(canvas, part, TEXT, box, canvas.y))
    canvas.y += part.length * TEXT.leading
    first += part.length
  }
  paragraph.end()
  canvas.y += GAP
}
