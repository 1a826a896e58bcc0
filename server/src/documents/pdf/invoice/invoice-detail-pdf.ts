import type { InvoiceDocument } from '../../invoice-document.ts'
import { drawInvoice, invoiceFrame } from './invoice-pdf.ts'
import { INK, makeRoom, print, set, SHEET, SMALL, tag, type Paper, type Style } from '../canvas/canvas.ts'
import { drawTable, type Column, type Row } from '../canvas/table.ts'
import { printedMoney, printedPeriod } from '../print-format.ts'
import type { InvoiceDetailDocument, UsageBehind } from '../../report-document.ts'
import { wholePdf } from '../canvas/render-pdf.ts'

const LINE: Style = { weight: 'regular', size: 8.5, colour: INK.text, leading: 12 }
const SERVICE: Style = { weight: 'semibold', size: 9, colour: INK.text, leading: 13 }
const TOTAL: Style = { weight: 'semibold', size: 9, colour: INK.text, leading: 13 }
const PADDING = { above: 4, below: 4 }
const WIDE = { left: SHEET.left, width: SHEET.right - SHEET.left }

const COLUMNS: readonly Column[] = [
  { heading: 'Service item', width: 130, align: 'left' },
  { heading: 'Record type', width: 117, align: 'left' },
  { heading: 'Records', width: 52, align: 'right' },
  { heading: 'Units', width: 72, align: 'right' },
  { heading: 'Price', width: 80, align: 'right' },
]

/** An invoice's own paper, and below it the usage that it stands for. Occupies its thread, as `invoicePdf` does. */
export const invoiceDetailPdf = ({ invoice, usage }: InvoiceDetailDocument): Promise<Uint8Array<ArrayBuffer>> =>
  wholePdf(invoiceFrame(invoice), (paper, colour) => {
    drawInvoice(paper, invoice, colour)
    if (usage !== null) drawUsage(paper, usage, invoice, colour)
  })

const drawUsage = (paper: Paper, usage: UsageBehind, invoice: InvoiceDocument, colour: string): void => {
  const rows = usage.rows.flatMap((row, at) => [
    ...(row.service === usage.rows[at - 1]?.service || row.service === '' ? [] : [serviceRow(row.service)]),
    lineOf(row, invoice, row.service === usage.rows[at - 1]?.service),
  ])
  paper.y += 24
  drawTable(paper, {
    left: SHEET.left,
    title: `Usage ${printedPeriod(usage.from, usage.to, invoice.language)}`,
    columns: COLUMNS,
    rows:
      rows.length === 0
        ? [{ cells: [{ text: 'No usage in this period', span: COLUMNS.length }], style: LINE }]
        : [...rows, totalRow(usage, invoice)],
    headRule: { colour, thickness: 1 },
  })
  if (usage.leftOut > 0) drawLeftOut(paper, usage)
}

const serviceRow = (service: string): Row => ({
  cells: [{ text: service, span: COLUMNS.length, isRowHeader: true }],
  style: SERVICE,
  padding: { above: 9, below: 4 },
  isTiedToNext: true,
})

const lineOf = (row: UsageBehind['rows'][number], invoice: InvoiceDocument, isFurther: boolean): Row => ({
  cells: [row.serviceItem, row.recordType, figure(row.records), figure(row.units), printedMoney(row.price, invoice)].map((text) => ({
    text,
  })),
  style: LINE,
  padding: PADDING,
  afterTurn: isFurther ? `${row.service} (continued)` : null,
})

/** A plain decimal with thousands separators. */
const figure = (decimal: string): string => printedMoney(decimal, { currencySymbol: '' })

const totalRow = (usage: UsageBehind, invoice: InvoiceDocument): Row => ({
  cells: [
    { text: 'All usage', span: 2, isRowHeader: true },
    { text: figure(usage.records) },
    { text: '' },
    { text: printedMoney(usage.price, invoice) },
  ],
  style: TOTAL,
  padding: PADDING,
})

const drawLeftOut = (paper: Paper, { leftOut }: UsageBehind): void => {
  const lines = set(
    `${figure(String(leftOut))} more ${leftOut === 1 ? 'line is' : 'lines are'} not printed, and counted in the total. The report Usage by Service has them all.`,
    SMALL,
    WIDE.width,
  )
  paper.y += 8
  makeRoom(paper, lines.length * SMALL.leading)
  const top = paper.y
  tag(paper, paper.root, 'P', () => print(paper, lines, SMALL, WIDE, top))
  paper.y += lines.length * SMALL.leading
}
