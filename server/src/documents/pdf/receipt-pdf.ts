import { drawHead, type Fact } from './invoice/head.ts'
import { drawStamp } from './invoice/summary.ts'
import { tinted } from './canvas/print-colour.ts'
import { BODY, furnish, INK, makeRoom, print, set, SHEET, SMALL, tag, type Paper, type Place, type Style } from './canvas/canvas.ts'
import { drawTable, type Row } from './canvas/table.ts'
import { isZero, printedDay, printedMoney } from './print-format.ts'
import type { ReceiptDocument } from '../receipt-document.ts'
import { wholePdf } from './canvas/render-pdf.ts'

const LABEL: Style = { weight: 'regular', size: 9, colour: INK.muted, leading: 13 }
const AMOUNT: Style = { weight: 'semibold', size: 21, colour: INK.text, leading: 28 }
const LINE: Style = { weight: 'regular', size: 8.5, colour: INK.text, leading: 12 }
const SUM: Style = { weight: 'semibold', size: 11.5, colour: INK.text, leading: 16 }
const PADDING = { above: 4.5, below: 4.5 }
const WIDE = SHEET.right - SHEET.left
const INSET = 18
const STAMP_SPACE = 150

/** A receipt of one payment. Occupies its thread, as `invoicePdf` does. */
export const receiptPdf = (document: ReceiptDocument): Promise<Uint8Array<ArrayBuffer>> => {
  const { title, number, seller, paidOn, language, brand } = document
  return wholePdf({ title: `${title} ${number}`, author: seller.name, day: paidOn, language, brand }, (paper, colour) => {
    drawHead(paper, { ...document, customerHeading: 'Paid by' }, factsOf(document), colour)
    drawPaid(paper, document, colour)
    drawLines(paper, document, colour)
    drawSums(paper, document, colour)
  })
}

/** The number stands under the title. */
const factsOf = ({ paidOn, method, customer, language }: ReceiptDocument): readonly Fact[] => [
  ['Date', printedDay(paidOn, language)],
  ['Paid with', method],
  ['Reference', customer.reference],
]

/** The panel that answers first: how much was paid, when, with what, and whether it was given back. */
const drawPaid = (paper: Paper, document: ReceiptDocument, colour: string): void => {
  const texts: Place = { left: SHEET.left + INSET, width: WIDE - 2 * INSET - STAMP_SPACE }
  const parts: readonly (readonly [string, Style])[] = [
    [`Amount paid (${document.currency})`, LABEL],
    [printedMoney(document.total, document), AMOUNT],
    [`Paid on ${printedDay(document.paidOn, document.language)} with ${document.method}`, BODY],
    ...(document.reference === null ? [] : [[`Payment reference ${document.reference}`, SMALL] as const]),
  ]
  const blocks = parts.map(([text, style]) => ({ lines: set(text, style, texts.width), style }))
  const height = blocks.reduce((sum, { lines, style }) => sum + lines.length * style.leading, 27)
  makeRoom(paper, height)
  const top = paper.y
  furnish(paper, 'Layout', () => paper.pdf.roundedRect(SHEET.left, top, WIDE, height, 8).fill(tinted(document.brand.colour, 0.07)))
  let at = top + 13
  for (const { lines, style } of blocks) {
    const here = at
    tag(paper, paper.root, 'P', () => print(paper, lines, style, texts, here))
    at += lines.length * style.leading
  }
  drawStamp(paper, stampOf(document), colour, SHEET.right - INSET, top + height / 2 - 12)
  paper.y = top + height + 20
}

const stampOf = ({ refunded, kept }: ReceiptDocument): string =>
  refunded === null ? 'Paid' : isZero(kept) ? 'Refunded' : 'Partly refunded'

const drawLines = (paper: Paper, document: ReceiptDocument, colour: string): void => {
  drawTable(paper, {
    left: SHEET.left,
    title: 'What was paid',
    columns: [
      { heading: document.invoiceLabel, width: WIDE - 24 - 120 - 120, align: 'left' },
      { heading: 'Issued', width: 120, align: 'left' },
      { heading: 'Amount', width: 120, align: 'right' },
    ],
    rows: document.lines.map(({ what, issuedOn, amount }) => ({
      cells: [
        { text: what, isRowHeader: true },
        { text: issuedOn === null ? '' : printedDay(issuedOn, document.language) },
        { text: printedMoney(amount, document) },
      ],
      style: LINE,
      padding: PADDING,
    })),
    headRule: { colour, thickness: 1 },
  })
  paper.y += 14
}

const SUMS = { width: 300, amount: 110 } as const

const drawSums = (paper: Paper, document: ReceiptDocument, colour: string): void => {
  const last = { colour, thickness: 1 }
  const sumRow = (label: string, decimal: string, style: Style): Row => ({
    cells: [{ text: label, isRowHeader: true }, { text: printedMoney(decimal, document) }],
    style,
    isTiedToNext: true,
  })
  const { fee, refunded, currency } = document
  const rows: readonly Row[] = [
    ...(fee === null ? [] : [sumRow(fee.name, fee.amount, BODY)]),
    { ...sumRow(`Total paid (${currency})`, document.total, SUM), rule: refunded === null ? null : last, padding: { above: 8, below: 8 } },
    ...(refunded === null
      ? []
      : [sumRow('Refunded since', `-${refunded}`, BODY), { ...sumRow('Paid after refunds', document.kept, SUM), rule: null }]),
  ]
  const columns = [
    { heading: '', width: SUMS.width - SUMS.amount - 12, align: 'left' as const },
    { heading: '', width: SUMS.amount, align: 'right' as const },
  ]
  drawTable(paper, { left: SHEET.right - SUMS.width, title: null, columns, rows: tiedButLast(rows), headRule: last })
}

const tiedButLast = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, at) => (at === rows.length - 1 ? { ...row, isTiedToNext: false } : row))
