import type { InvoiceDocument } from '../../invoice-document.ts'
import { tint } from '../canvas/print-colour.ts'
import {
  BODY,
  drawArtifact,
  COLOURS,
  ensureHeight,
  drawText,
  wrapText,
  PAGE,
  addElement,
  textWidth,
  type Canvas,
  type TextBox,
  type Style,
} from '../canvas/canvas.ts'
import { drawLink } from '../canvas/link.ts'
import { isZero, formatDay, formatMoney } from '../print-format.ts'
import { balanceLabel } from './totals.ts'

const LABEL: Style = { weight: 'regular', size: 9, colour: COLOURS.muted, leading: 13 }
const AMOUNT: Style = { weight: 'semibold', size: 21, colour: COLOURS.text, leading: 28 }
const BUTTON: Style = { weight: 'semibold', size: 10, colour: '#ffffff', leading: 14 }
const STAMP: Style = { weight: 'semibold', size: 11, colour: COLOURS.text, leading: 15 }

const INSET = 18
const SIDE = 120
const STAMP_SPACE = 112
const STAMPS: Readonly<Record<InvoiceDocument['status'], string | null>> = {
  open: null,
  overdue: 'Overdue',
  paid: 'Paid',
  credited: 'Credited',
  'in-collection': 'Debit on its way',
  'credit-note': null,
}

/** Draws the summary panel: amount due, due day, status stamp and payment button; of a credit note what it gives. */
export const drawSummary = (canvas: Canvas, document: InvoiceDocument, colour: string): void => {
  const width = PAGE.right - PAGE.left
  const textBox: TextBox = { left: PAGE.left + INSET, width: width - 2 * INSET - SIDE - STAMP_SPACE }
  const label = wrapText(balanceLabel(document), LABEL, textBox.width)
  const amount = wrapText(formatMoney(document.credit ?? document.amountDue, document), AMOUNT, textBox.width)
  const due =
    isZero(document.amountDue) || document.dueOn === null
      ? []
      : wrapText(`Due ${formatDay(document.dueOn, document.language)}`, BODY, textBox.width)
  const height = 13 + label.length * LABEL.leading + amount.length * AMOUNT.leading + due.length * BODY.leading + 14
  ensureHeight(canvas, height)
  const top = canvas.y

  drawArtifact(canvas, 'Layout', () => canvas.pdf.roundedRect(PAGE.left, top, width, height, 8).fill(tint(document.brand.colour, 0.07)))
  const amountTop = top + 13 + label.length * LABEL.leading
  addElement(canvas, canvas.root, 'P', () => drawText(canvas, label, LABEL, textBox, top + 13))
  addElement(canvas, canvas.root, 'P', () => drawText(canvas, amount, AMOUNT, textBox, amountTop))
  if (due.length > 0)
    addElement(canvas, canvas.root, 'P', () => drawText(canvas, due, BODY, textBox, amountTop + amount.length * AMOUNT.leading))
  drawSide(canvas, document, colour, top + height / 2)
  canvas.y = top + height + 20
}

const SIDE_BOX: TextBox = { left: PAGE.right - INSET - SIDE, width: SIDE, align: 'center' }

/** Draws stamp and button, vertically centred; without a button the stamp takes its position. */
const drawSide = (canvas: Canvas, { status, paymentUrl }: InvoiceDocument, colour: string, middle: number): void => {
  const stamp = STAMPS[status]
  const right = paymentUrl === null ? PAGE.right - INSET : SIDE_BOX.left - 14
  if (stamp !== null) drawStamp(canvas, stamp, stampColour(status, colour), right, middle - 12)
  if (paymentUrl !== null) drawButton(canvas, paymentUrl, colour, middle - 15)
}

/** Red for an overdue invoice, else the brand's colour. */
const stampColour = (status: InvoiceDocument['status'], colour: string): string => (status === 'overdue' ? '#b3261e' : colour)

/** Draws a word in a rounded frame with its right edge at `right`. */
export const drawStamp = (canvas: Canvas, text: string, colour: string, right: number, top: number): void => {
  const width = textWidth(text, STAMP) + 28
  const left = right - width
  drawArtifact(canvas, 'Layout', () => canvas.pdf.lineWidth(1.2).roundedRect(left, top, width, 24, 12).stroke(colour))
  addElement(canvas, canvas.root, 'P', () =>
    drawText(canvas, [text], { ...STAMP, colour }, { left: left + 14, width: width - 28 }, top + 4.5),
  )
}

/** Draws the button that links to the payment page. */
const drawButton = (canvas: Canvas, url: string, colour: string, top: number): void => {
  drawArtifact(canvas, 'Layout', () => canvas.pdf.roundedRect(SIDE_BOX.left, top, SIDE_BOX.width, 30, 6).fill(colour))
  const area = { left: SIDE_BOX.left, top, width: SIDE_BOX.width, height: 30 }
  drawLink(canvas, url, 'Pay this invoice online', [area], () => drawText(canvas, ['Pay online'], BUTTON, SIDE_BOX, top + 8))
}
