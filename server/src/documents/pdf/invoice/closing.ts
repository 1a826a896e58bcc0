import type { InvoiceDocument } from '../../invoice-document.ts'
import type { Beside } from './totals.ts'
import {
  BODY,
  HEADING,
  makeRoom,
  openTag,
  print,
  room,
  set,
  SHEET,
  tag,
  turnPage,
  widthOf,
  type Paper,
  type Place,
  type Style,
} from '../canvas/canvas.ts'
import { drawLink } from '../canvas/link.ts'

const TEXT: Style = { ...BODY, size: 8.5, leading: 12 }
const HEADING_HEIGHT = HEADING.leading + 2
const GAP = 14
/** So much further than the totals the text beside them may reach. */
const OVERHANG = 110

/** Where to pay, for readers of paper too, and the terms: beside the totals where they are short, else below them. */
export const drawClosing = (paper: Paper, document: InvoiceDocument, colour: string, { top, width }: Beside): void => {
  const beside = { left: SHEET.left, width }
  const bottom = top + closingHeight(document, beside) - GAP
  const below = paper.y
  if (bottom <= Math.min(SHEET.bottom, below + OVERHANG)) {
    paper.y = top
    drawParts(paper, document, colour, beside)
    paper.y = Math.max(below, paper.y)
  } else {
    paper.y += GAP
    drawParts(paper, document, colour, { left: SHEET.left, width: SHEET.right - SHEET.left })
  }
}

const closingHeight = ({ paymentUrl, terms }: InvoiceDocument, place: Place): number =>
  [paymentUrl, terms].reduce(
    (height, text) => height + (isSaid(text) ? HEADING_HEIGHT + set(text, TEXT, place.width).length * TEXT.leading + GAP : 0),
    0,
  )

const isSaid = (text: string | null): text is string => text !== null && text.trim() !== ''

const drawParts = (paper: Paper, { paymentUrl, terms }: InvoiceDocument, colour: string, place: Place): void => {
  if (isSaid(paymentUrl)) {
    drawHeading(paper, 'Pay online', place)
    drawAddress(paper, paymentUrl, { ...TEXT, colour }, place)
  }
  if (isSaid(terms)) {
    drawHeading(paper, 'Terms', place)
    drawRunningText(paper, terms, place)
  }
}

const drawHeading = (paper: Paper, heading: string, place: Place): void => {
  makeRoom(paper, HEADING_HEIGHT + 3 * TEXT.leading)
  const top = paper.y
  tag(paper, paper.root, 'H2', () => print(paper, [heading], HEADING, place, top))
  paper.y += HEADING_HEIGHT
}

const drawAddress = (paper: Paper, address: string, style: Style, place: Place): void => {
  const lines = set(address, style, place.width)
  makeRoom(paper, lines.length * style.leading)
  const top = paper.y
  const areas = lines.map((line, index) => ({
    left: place.left,
    top: top + index * style.leading,
    width: widthOf(line, style),
    height: style.leading,
  }))
  drawLink(paper, address, 'Pay this invoice online', areas, () => print(paper, lines, style, place, top))
  paper.y += lines.length * style.leading + GAP
}

/** One paragraph, over as many pages as it needs. */
const drawRunningText = (paper: Paper, text: string, place: Place): void => {
  const lines = set(text, TEXT, place.width)
  const paragraph = openTag(paper, paper.root, 'P')
  for (let first = 0; first < lines.length; ) {
    if (room(paper) < TEXT.leading) turnPage(paper)
    const part = lines.slice(first, first + Math.floor(room(paper) / TEXT.leading))
    paragraph.add(() => print(paper, part, TEXT, place, paper.y))
    paper.y += part.length * TEXT.leading
    first += part.length
  }
  paragraph.end()
  paper.y += GAP
}
