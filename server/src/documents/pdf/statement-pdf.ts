import { drawHead } from './invoice/head.ts'
import { BODY, INK, makeRoom, print, set, SHEET, SMALL, tag, type Paper, type Style } from './canvas/canvas.ts'
import { drawTable, type Column, type Row } from './canvas/table.ts'
import { printedDay, printedMoney, printedPeriod } from './print-format.ts'
import type { StatementAccount, StatementDocument } from '../report-document.ts'
import { wholePdf } from './canvas/render-pdf.ts'

const LINE: Style = { weight: 'regular', size: 8.5, colour: INK.text, leading: 12 }
const SUM: Style = { weight: 'semibold', size: 9, colour: INK.text, leading: 13 }
const DUE: Style = { weight: 'semibold', size: 11.5, colour: INK.text, leading: 16 }
const PADDING = { above: 4.5, below: 4.5 }
const WIDE = { left: SHEET.left, width: SHEET.right - SHEET.left }

/** A customer's account over some days. Occupies its thread, as `invoicePdf` does. */
export const statementPdf = (document: StatementDocument): Promise<Uint8Array<ArrayBuffer>> => {
  const { title, seller, customer, brand, madeOn, language } = document
  const period = printedPeriod(document.from, document.to, language)
  return wholePdf({ title: `${title} ${period}`, author: seller.name, day: madeOn, language, brand }, (paper, colour) => {
    const facts = [
      ['Period', period],
      ['Made on', printedDay(madeOn, language)],
      ['Reference', customer.reference],
    ] as const
    drawHead(paper, { title, number: period, seller, customer, brand }, facts, colour)
    for (const account of document.accounts) drawAccount(paper, document, account, colour)
    drawNote(paper, `Amounts due and states are those of ${printedDay(madeOn, language)}.`)
  })
}

const drawAccount = (paper: Paper, document: StatementDocument, account: StatementAccount, colour: string): void => {
  drawTable(paper, {
    left: SHEET.left,
    title: document.accounts.length === 1 ? document.invoiceLabelPlural : `${document.invoiceLabelPlural} in ${account.currency}`,
    columns: columnsOf(document),
    rows: [...invoiceRows(document, account), invoicedRow(account)],
    headRule: { colour, thickness: 1 },
  })
  paper.y += 16
  drawSums(paper, account, colour)
  paper.y += 20
}

const columnsOf = ({ invoiceLabel }: StatementDocument): readonly Column[] => [
  { heading: invoiceLabel, width: 107, align: 'left' },
  { heading: 'Issued', width: 62, align: 'left' },
  { heading: 'Due', width: 62, align: 'left' },
  { heading: 'Status', width: 58, align: 'left' },
  { heading: 'Amount', width: 75, align: 'right' },
  { heading: 'Amount due', width: 75, align: 'right' },
]

const invoiceRows = ({ language }: StatementDocument, account: StatementAccount): readonly Row[] =>
  account.invoices.length === 0
    ? [{ cells: [{ text: 'Nothing was billed in these days', span: 6 }], style: LINE }]
    : account.invoices.map(({ number, issuedOn, dueOn, status, amount, due }) => ({
        cells: [
          { text: number, isRowHeader: true },
          { text: printedPeriod(issuedOn, issuedOn, language) },
          { text: printedPeriod(dueOn, dueOn, language) },
          { text: status },
          { text: printedMoney(amount, account) },
          { text: printedMoney(due, account) },
        ],
        style: LINE,
        padding: PADDING,
      }))

const invoicedRow = (account: StatementAccount): Row => ({
  cells: [
    { text: 'Together', span: 4, isRowHeader: true },
    { text: printedMoney(account.invoiced, account) },
    { text: printedMoney(account.dueOfThese, account) },
  ],
  style: SUM,
  padding: PADDING,
})

const SUMS = { width: 300, amount: 110 } as const

const drawSums = (paper: Paper, account: StatementAccount, colour: string): void => {
  const sumRow = (label: string, decimal: string, style: Style): Row => ({
    cells: [{ text: label, isRowHeader: true }, { text: printedMoney(decimal, account) }],
    style,
    isTiedToNext: true,
  })
  drawTable(paper, {
    left: SHEET.right - SUMS.width,
    title: null,
    columns: [
      { heading: '', width: SUMS.width - SUMS.amount - 12, align: 'left' },
      { heading: '', width: SUMS.amount, align: 'right' },
    ],
    rows: [
      sumRow('Still due from earlier days', account.opening, BODY),
      { ...sumRow('Still due from these days', account.dueOfThese, BODY), rule: { colour, thickness: 1 } },
      { ...sumRow(`Amount due (${account.currency})`, account.due, DUE), padding: { above: 8, below: 8 }, rule: null, isTiedToNext: false },
    ],
    headRule: { colour, thickness: 1 },
  })
}

const drawNote = (paper: Paper, text: string): void => {
  const lines = set(text, SMALL, WIDE.width)
  makeRoom(paper, lines.length * SMALL.leading)
  const top = paper.y
  tag(paper, paper.root, 'P', () => print(paper, lines, SMALL, WIDE, top))
}
