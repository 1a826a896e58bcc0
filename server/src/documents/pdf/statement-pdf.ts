import { drawHead } from './invoice/head.ts'
import { BODY, COLOURS, drawText, wrapText, PAGE, SMALL, addElement, type Canvas, type Style } from './canvas/canvas.ts'
import { drawTable, firstRowsHeight, type Column, type Row, type Table } from './canvas/table.ts'
import { formatDay, formatMoney, formatPeriod } from './print-format.ts'
import type { StatementAccount, StatementDocument } from '../report-document.ts'
import { renderPdf } from './render-pdf.ts'

const LINE: Style = { weight: 'regular', size: 8.5, colour: COLOURS.text, leading: 12 }
const SUM: Style = { weight: 'semibold', size: 9, colour: COLOURS.text, leading: 13 }
const DUE: Style = { weight: 'semibold', size: 11.5, colour: COLOURS.text, leading: 16 }
const PADDING = { above: 4.5, below: 4.5 }
const GAP = 16
const ACCOUNT_GAP = 20
const WIDE = { left: PAGE.left, width: PAGE.right - PAGE.left }

/** Renders a customer's account over some days. Blocks its thread, as `invoicePdf` does. */
export const statementPdf = (document: StatementDocument): Promise<Uint8Array<ArrayBuffer>> => {
  const { title, seller, customer, brand, createdOn, language } = document
  const period = formatPeriod(document.from, document.to, language)
  return renderPdf({ title: `${title} ${period}`, author: seller.name, day: createdOn, language, brand }, (canvas, colour) => {
    const facts = [
      ['Period', period],
      ['Created on', formatDay(createdOn, language)],
      ['Reference', customer.reference],
    ] as const
    drawHead(canvas, { title, number: period, seller, customer, brand }, facts, colour)
    const note = wrapText(`Amounts due and statuses are as of ${formatDay(createdOn, language)}.`, SMALL, WIDE.width)
    const noteHeight = note.length * SMALL.leading
    for (const [at, account] of document.accounts.entries())
      drawAccount(canvas, document, account, colour, at === document.accounts.length - 1 ? noteHeight : 0)
    addElement(canvas, canvas.root, 'P', () => drawText(canvas, note, SMALL, WIDE, canvas.y))
  })
}

/** Draws the invoices in one currency, and the table of what is due. @param heightBelow  what must fit on the page of the account's sums */
const drawAccount = (canvas: Canvas, document: StatementDocument, account: StatementAccount, colour: string, heightBelow: number): void => {
  drawTable(canvas, {
    left: PAGE.left,
    title: document.accounts.length === 1 ? document.invoiceLabelPlural : `${document.invoiceLabelPlural} in ${account.currency}`,
    columns: columnsOf(document),
    rows: [...invoiceRows(document, account), invoicedRow(account)],
    headRule: { colour, thickness: 1 },
    heightBelow: GAP + firstRowsHeight(amountDueTable(account, colour)) + ACCOUNT_GAP + heightBelow,
  })
  canvas.y += GAP
  drawTable(canvas, amountDueTable(account, colour))
  canvas.y += ACCOUNT_GAP
}

const columnsOf = ({ invoiceLabel }: StatementDocument): readonly Column[] => [
  { heading: invoiceLabel, width: 107, align: 'left' },
  { heading: 'Issued', width: 62, align: 'left' },
  { heading: 'Due', width: 62, align: 'left' },
  { heading: 'Status', width: 58, align: 'left' },
  { heading: 'Amount', width: 75, align: 'right' },
  { heading: 'Amount due', width: 75, align: 'right' },
]

/** A row for each invoice of the account; one that says so where there are none. */
const invoiceRows = ({ language }: StatementDocument, account: StatementAccount): readonly Row[] =>
  account.invoices.length === 0
    ? [{ cells: [{ text: 'No invoices in this period', span: 6 }], style: LINE }]
    : account.invoices.map(({ number, issuedOn, dueOn, status, amount, due }, at) => ({
        cells: [
          { text: number, isRowHeader: true },
          { text: formatPeriod(issuedOn, issuedOn, language) },
          { text: dueOn === null ? '–' : formatPeriod(dueOn, dueOn, language) },
          { text: status },
          { text: formatMoney(amount, account) },
          { text: formatMoney(due, account) },
        ],
        style: LINE,
        padding: PADDING,
        isKeptWithNext: at === account.invoices.length - 1,
      }))

/** The last row of the invoices: their total, and what is due of them. */
const invoicedRow = (account: StatementAccount): Row => ({
  cells: [
    { text: 'Total', span: 4, isRowHeader: true },
    { text: formatMoney(account.invoicedTotal, account) },
    { text: formatMoney(account.periodDue, account) },
  ],
  style: SUM,
  padding: PADDING,
})

const SUMS = { width: 300, amount: 110 } as const

/** The table of the amounts due: of earlier invoices, of the period's invoices, both together, and the credit if there is any. */
const amountDueTable = (account: StatementAccount, colour: string): Table => {
  const sumRow = (label: string, decimal: string, style: Style): Row => ({
    cells: [{ text: label, isRowHeader: true }, { text: formatMoney(decimal, account) }],
    style,
    isKeptWithNext: true,
  })
  return {
    left: PAGE.right - SUMS.width,
    title: null,
    columns: [
      { heading: '', width: SUMS.width - SUMS.amount - 12, align: 'left' },
      { heading: '', width: SUMS.amount, align: 'right' },
    ],
    rows: [
      sumRow('Due from earlier invoices', account.opening, BODY),
      { ...sumRow('Due from these invoices', account.periodDue, BODY), rule: { colour, thickness: 1 } },
      {
        ...sumRow(`Amount due (${account.currency})`, account.due, DUE),
        padding: { above: 8, below: 8 },
        rule: null,
        isKeptWithNext: account.credit !== null,
      },
      ...(account.credit === null
        ? []
        : [{ ...sumRow(`Credit (${account.currency})`, account.credit, SUM), rule: null, isKeptWithNext: false }]),
    ],
    headRule: { colour, thickness: 1 },
  }
}
