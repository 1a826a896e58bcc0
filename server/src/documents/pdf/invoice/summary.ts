import type { InvoiceDocument } from '../../invoice-document.ts'
import { tinted } from '../canvas/print-colour.ts'
import { BODY, furnish, INK, makeRoom, print, set, SHEET, tag, widthOf, type Paper, type Place, type Style } from '../canvas/canvas.ts'
import { drawLink } from '../canvas/link.ts'
import { isZero, printedDay, printedMoney } from '../print-format.ts'

const LABEL: Style = { weight: 'regular', size: 9, colour: INK.muted, leading: 13 }
const AMOUNT: Style = { weight: 'semibold', size: 21, colour: INK.text, leading: 28 }
const BUTTON: Style = { weight: 'semibold', size: 10, colour: '#ffffff', leading: 14 }
const STAMP: Style = { weight: 'semibold', size: 11, colour: INK.text, leading: 15 }

const INSET = 18
const SIDE = 120
const STAMP_SPACE = 112
const STAMPS: Readonly<Record<InvoiceDocument['status'], string | null>> = {
  open: null,
  overdue: 'Overdue',
  paid: 'Paid',
  credited: 'Credited',
  'in-collection': 'In collection',
}

/** The panel that answers first: how much is due, until when, what became of the invoice, and where it is paid. */
export const drawSummary = (paper: Paper, document: InvoiceDocument, colour: string): void => {
  const wide = SHEET.right - SHEET.left
  const texts: Place = { left: SHEET.left + INSET, width: wide - 2 * INSET - SIDE - STAMP_SPACE }
  const label = set(`Amount due (${document.currency})`, LABEL, texts.width)
  const amount = set(printedMoney(document.amountDue, document), AMOUNT, texts.width)
  const due = isZero(document.amountDue) ? [] : set(`Due ${printedDay(document.dueOn, document.language)}`, BODY, texts.width)
  const height = 13 + label.length * LABEL.leading + amount.length * AMOUNT.leading + due.length * BODY.leading + 14
  makeRoom(paper, height)
  const top = paper.y

  furnish(paper, 'Layout', () => paper.pdf.roundedRect(SHEET.left, top, wide, height, 8).fill(tinted(document.brand.colour, 0.07)))
  const amountTop = top + 13 + label.length * LABEL.leading
  tag(paper, paper.root, 'P', () => print(paper, label, LABEL, texts, top + 13))
  tag(paper, paper.root, 'P', () => print(paper, amount, AMOUNT, texts, amountTop))
  if (due.length > 0) tag(paper, paper.root, 'P', () => print(paper, due, BODY, texts, amountTop + amount.length * AMOUNT.leading))
  drawSide(paper, document, colour, top + height / 2)
  paper.y = top + height + 20
}

const SIDE_PLACE: Place = { left: SHEET.right - INSET - SIDE, width: SIDE, align: 'center' }

/** Stamp and button on a middle line; without a button the stamp has its place. */
const drawSide = (paper: Paper, { status, paymentUrl }: InvoiceDocument, colour: string, middle: number): void => {
  const stamp = STAMPS[status]
  const right = paymentUrl === null ? SHEET.right - INSET : SIDE_PLACE.left - 14
  if (stamp !== null) drawStamp(paper, stamp, stampColour(status, colour), right, middle - 12)
  if (paymentUrl !== null) drawButton(paper, paymentUrl, colour, middle - 15)
}

const stampColour = (status: InvoiceDocument['status'], colour: string): string =>
  ['overdue', 'in-collection'].includes(status) ? '#b3261e' : colour

/** A word in a rounded frame, its right edge at `right`. */
export const drawStamp = (paper: Paper, text: string, colour: string, right: number, top: number): void => {
  const width = widthOf(text, STAMP) + 28
  const left = right - width
  furnish(paper, 'Layout', () => paper.pdf.lineWidth(1.2).roundedRect(left, top, width, 24, 12).stroke(colour))
  tag(paper, paper.root, 'P', () => print(paper, [text], { ...STAMP, colour }, { left: left + 14, width: width - 28 }, top + 4.5))
}

const drawButton = (paper: Paper, url: string, colour: string, top: number): void => {
  furnish(paper, 'Layout', () => paper.pdf.roundedRect(SIDE_PLACE.left, top, SIDE_PLACE.width, 30, 6).fill(colour))
  const area = { left: SIDE_PLACE.left, top, width: SIDE_PLACE.width, height: 30 }
  drawLink(paper, url, 'Pay this invoice online', [area], () => print(paper, ['Pay online'], BUTTON, SIDE_PLACE, top + 8))
}
