import { drawHead, type Fact } from './invoice/head.ts'
import { drawStamp } from './invoice/summary.ts'
import { tint } from './canvas/print-colour.ts'
import {
  BODY,
  drawArtifact,
  COLOURS,
  ensureHeight,
  drawText,
  wrapText,
  PAGE,
  SMALL,
  addElement,
  type Canvas,
  type TextBox,
  type Style,
} from './canvas/canvas.ts'
import { drawTable, firstRowsHeight, type Row, type Table } from './canvas/table.ts'
import { isZero, formatDay, formatMoney } from './print-format.ts'
import type { ReceiptDocument } from '../receipt-document.ts'
import { renderPdf } from './render-pdf.ts'

const LABEL: Style = { weight: 'regular', size: 9, colour: COLOURS.muted, leading: 13 }
const AMOUNT: Style = { weight: 'semibold', size: 21, colour: COLOURS.text, leading: 28 }
const LINE: Style = { weight: 'regular', size: 8.5, colour: COLOURS.text, leading: 12 }
const SUM: Style = { weight: 'semibold', size: 11.5, colour: COLOURS.text, leading: 16 }
const PADDING = { above: 4.5, below: 4.5 }
const WIDE = PAGE.right - PAGE.left
const INSET = 18
const STAMP_SPACE = 150

/** Renders the receipt of one payment. Blocks its thread, as `invoicePdf` does. */
export const receiptPdf = (document: ReceiptDocument): Promise<Uint8Array<ArrayBuffer>> => {
  const { title, number, seller, paidOn, language, brand } = document
  return renderPdf({ title: `${title} ${number}`, author: seller.name, day: paidOn, language, brand }, (canvas, colour) => {
    drawHead(canvas, { ...document, customerHeading: 'Paid by' }, factsOf(document), colour)
    drawPaymentSummary(canvas, document, colour)
    drawLines(canvas, document, colour)
    drawTable(canvas, sumsTable(document, colour))
  })
}

/** The facts in the head of a receipt, without the number, which is printed below the title. */
const factsOf = ({ paidOn, method, customer, language }: ReceiptDocument): readonly Fact[] => [
  ['Date', formatDay(paidOn, language)],
  ['Paid with', method],
  ['Reference', customer.reference],
]

/** Draws the summary panel: amount, day, payment method, references, and a stamp: paid or (partly) refunded. */
const drawPaymentSummary = (canvas: Canvas, document: ReceiptDocument, colour: string): void => {
  const textBox: TextBox = { left: PAGE.left + INSET, width: WIDE - 2 * INSET - STAMP_SPACE }
  const parts: readonly (readonly [string, Style])[] = [
    [`Amount paid (${document.currency})`, LABEL],
    [formatMoney(document.total, document), AMOUNT],
    [`Paid on ${formatDay(document.paidOn, document.language)} with ${document.method}`, BODY],
    [`Payment reference ${document.reference}`, SMALL],
    ...(document.providerReference === null ? [] : [[`Transaction ${document.providerReference}`, SMALL] as const]),
  ]
  const blocks = parts.map(([text, style]) => ({ lines: wrapText(text, style, textBox.width), style }))
  const height = blocks.reduce((sum, { lines, style }) => sum + lines.length * style.leading, 27)
  ensureHeight(canvas, height)
  const top = canvas.y
  drawArtifact(canvas, 'Layout', () => canvas.pdf.roundedRect(PAGE.left, top, WIDE, height, 8).fill(tint(document.brand.colour, 0.07)))
  let nextTop = top + 13
  for (const { lines, style } of blocks) {
    const blockTop = nextTop
    addElement(canvas, canvas.root, 'P', () => drawText(canvas, lines, style, textBox, blockTop))
    nextTop += lines.length * style.leading
  }
  drawStamp(canvas, stampOf(document), colour, PAGE.right - INSET, top + height / 2 - 12)
  canvas.y = top + height + 20
}

/** The word of the stamp: paid, refunded or partly refunded. */
const stampOf = ({ refunded, netPaid }: ReceiptDocument): string =>
  refunded === null ? 'Paid' : isZero(netPaid) ? 'Refunded' : 'Partly refunded'

/** Draws the table of what was paid: a row for each invoice or adjustment. */
const drawLines = (canvas: Canvas, document: ReceiptDocument, colour: string): void => {
  drawTable(canvas, {
    left: PAGE.left,
    title: 'Payment details',
    columns: [
      { heading: document.invoiceLabel, width: WIDE - 24 - 120 - 120, align: 'left' },
      { heading: 'Issued', width: 120, align: 'left' },
      { heading: 'Amount', width: 120, align: 'right' },
    ],
    rows: document.lines.map(({ description, issuedOn, amount }) => ({
      cells: [
        { text: description, isRowHeader: true },
        { text: issuedOn === null ? '' : formatDay(issuedOn, document.language) },
        { text: formatMoney(amount, document) },
      ],
      style: LINE,
      padding: PADDING,
    })),
    headRule: { colour, thickness: 1 },
    heightBelow: GAP + firstRowsHeight(sumsTable(document, colour)),
  })
  canvas.y += GAP
}

const GAP = 14

const SUMS = { width: 300, amount: 110 } as const

/** The table of fee, total, refund and net amount, without a title. Draws nothing. */
const sumsTable = (document: ReceiptDocument, colour: string): Table => {
  const lastRule = { colour, thickness: 1 }
  const sumRow = (label: string, decimal: string, style: Style): Row => ({
    cells: [{ text: label, isRowHeader: true }, { text: formatMoney(decimal, document) }],
    style,
    isKeptWithNext: true,
  })
  const { fee, refunded, currency } = document
  const rows: readonly Row[] = [
    ...(fee === null ? [] : [sumRow(fee.name, fee.amount, BODY)]),
    {
      ...sumRow(`Total paid (${currency})`, document.total, SUM),
      rule: refunded === null ? null : lastRule,
      padding: { above: 8, below: 8 },
    },
    ...(refunded === null
      ? []
      : [sumRow('Refunded', `-${refunded}`, BODY), { ...sumRow('Net amount paid', document.netPaid, SUM), rule: null }]),
  ]
  const columns = [
    { heading: '', width: SUMS.width - SUMS.amount - 12, align: 'left' as const },
    { heading: '', width: SUMS.amount, align: 'right' as const },
  ]
  return { left: PAGE.right - SUMS.width, title: null, columns, rows: keepTogether(rows), headRule: lastRule }
}

/** The rows, of which the last may be parted from what follows. */
const keepTogether = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, at) => (at === rows.length - 1 ? { ...row, isKeptWithNext: false } : row))
