import type { InvoiceDocument } from '../../invoice-document.ts'
import { drawInvoice, invoiceProperties } from './invoice-pdf.ts'
import { COLOURS, drawText, wrapText, PAGE, SMALL, addElement, type Canvas, type Style } from '../canvas/canvas.ts'
import { drawTable, type Column, type Row } from '../canvas/table.ts'
import { formatMoney, formatPeriod } from '../print-format.ts'
import type { InvoiceDetailDocument, InvoiceUsage } from '../../report-document.ts'
import { renderPdf } from '../render-pdf.ts'

const LINE: Style = { weight: 'regular', size: 8.5, colour: COLOURS.text, leading: 12 }
const SERVICE: Style = { weight: 'semibold', size: 9, colour: COLOURS.text, leading: 13 }
const TOTAL: Style = { weight: 'semibold', size: 9, colour: COLOURS.text, leading: 13 }
const PADDING = { above: 4, below: 4 }
const NOTE_GAP = 8
const WIDE = { left: PAGE.left, width: PAGE.right - PAGE.left }

const COLUMNS: readonly Column[] = [
  { heading: 'Service item', width: 130, align: 'left' },
  { heading: 'Record type', width: 117, align: 'left' },
  { heading: 'Records', width: 52, align: 'right' },
  { heading: 'Units', width: 72, align: 'right' },
  { heading: 'Price', width: 80, align: 'right' },
]

/** Renders an invoice followed by the usage that it bills. Blocks its thread, as `invoicePdf` does. */
export const invoiceDetailPdf = ({ invoice, usage }: InvoiceDetailDocument): Promise<Uint8Array<ArrayBuffer>> =>
  renderPdf(invoiceProperties(invoice), (canvas, colour) => {
    drawInvoice(canvas, invoice, colour)
    if (usage !== null) drawUsage(canvas, usage, invoice, colour)
  })

/** Draws the usage of an invoice by service, its total, and a note about rows that are not printed. */
const drawUsage = (canvas: Canvas, usage: InvoiceUsage, invoice: InvoiceDocument, colour: string): void => {
  const rows = usage.rows.flatMap((row, at) => [
    ...(row.service === usage.rows[at - 1]?.service || row.service === '' ? [] : [serviceRow(row.service)]),
    {
      ...usageRow(row, invoice, row.service === usage.rows[at - 1]?.service),
      isKeptWithNext: at === usage.rows.length - 1,
    },
  ])
  const note = usage.omittedRows > 0 ? omittedRowsNote(usage) : []
  const noteHeight = note.length === 0 ? 0 : NOTE_GAP + note.length * SMALL.leading
  canvas.y += 24
  drawTable(canvas, {
    left: PAGE.left,
    title: `Usage ${formatPeriod(usage.from, usage.to, invoice.language)}`,
    columns: COLUMNS,
    rows:
      rows.length === 0
        ? [{ cells: [{ text: 'No usage in this period', span: COLUMNS.length }], style: LINE }]
        : [...rows, totalRow(usage, invoice)],
    headRule: { colour, thickness: 1 },
    heightBelow: noteHeight,
  })
  if (note.length > 0) addElement(canvas, canvas.root, 'P', () => drawText(canvas, note, SMALL, WIDE, canvas.y + NOTE_GAP))
}

const serviceRow = (service: string): Row => ({
  cells: [{ text: service, span: COLUMNS.length, isRowHeader: true }],
  style: SERVICE,
  padding: { above: 9, below: 4 },
  isKeptWithNext: true,
})

const usageRow = (row: InvoiceUsage['rows'][number], invoice: InvoiceDocument, isSameService: boolean): Row => ({
  cells: [row.serviceItem, row.recordType, formatNumber(row.records), formatNumber(row.units), formatMoney(row.price, invoice)].map(
    (text) => ({
      text,
    }),
  ),
  style: LINE,
  padding: PADDING,
  continuationText: isSameService ? `${row.service} (continued)` : null,
})

/** A decimal text with thousands separators. */
const formatNumber = (decimal: string): string => formatMoney(decimal, { currencySymbol: '' })

const totalRow = (usage: InvoiceUsage, invoice: InvoiceDocument): Row => ({
  cells: [
    { text: 'All usage', span: 2, isRowHeader: true },
    { text: formatNumber(usage.records) },
    { text: '' },
    { text: formatMoney(usage.price, invoice) },
  ],
  style: TOTAL,
  padding: PADDING,
})

/** The lines of the note that says how many rows are not printed. */
const omittedRowsNote = ({ omittedRows }: InvoiceUsage): readonly string[] =>
  wrapText(
    `${formatNumber(String(omittedRows))} more ${omittedRows === 1 ? 'line is' : 'lines are'} not printed but included in the total. The report Usage by Service lists all of them.`,
    SMALL,
    WIDE.width,
  )
