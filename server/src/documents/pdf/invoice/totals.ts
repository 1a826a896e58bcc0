import type { InvoiceAdjustment, InvoiceDocument, InvoiceTax } from '../../invoice-document.ts'
import { BODY, COLOURS, PAGE, type Canvas, type Style } from '../canvas/canvas.ts'
import { drawTable, firstRowsHeight, type Row, type Table } from '../canvas/table.ts'
import { formatMoney } from '../print-format.ts'

const WIDTH = 248
const AMOUNT_WIDTH = 104
const TOTAL: Style = { weight: 'semibold', size: 9, colour: COLOURS.text, leading: 13 }
const DUE: Style = { weight: 'semibold', size: 11.5, colour: COLOURS.text, leading: 16 }

/** The free space beside the totals, on the page where they end. */
export interface SpaceBeside {
  readonly top: number
  readonly width: number
}

/**
 * Draws net total, taxes, total, and amount due or credit at the right, with what explains their differences. Returns the space
 * beside them.
 */
export const drawTotals = (canvas: Canvas, document: InvoiceDocument, colour: string): SpaceBeside => {
  const { y: startTop } = canvas
  const { page } = canvas.pdf
  drawTable(canvas, totalsTable(document, colour))
  const top = canvas.pdf.page === page ? startTop : PAGE.top
  return { top, width: PAGE.right - PAGE.left - WIDTH - 28 }
}

/** The height that must be free for the totals to begin, in points: all of it, unless there are many taxes. */
export const firstTotalsHeight = (document: InvoiceDocument, colour: string): number => firstRowsHeight(totalsTable(document, colour))

/** The table of the totals, without a title. Draws nothing. */
const totalsTable = (document: InvoiceDocument, colour: string): Table => {
  const lastRule = { colour, thickness: 1 }
  const { adjustments } = document
  const due = adjustmentRows(adjustments.due, document)
  const rows: readonly Row[] = [
    ...adjustmentRows(adjustments.net, document),
    totalRow('Subtotal', document.netTotal, document, BODY),
    ...document.taxes.map((tax) => totalRow(taxLabel(tax, document), tax.amount, document, BODY)),
    ...adjustmentRows(adjustments.tax, document),
    { ...totalRow('Total', document.total, document, TOTAL), ...(due.length === 0 ? { rule: lastRule } : {}) },
    ...due.map((row) => ({ ...row, rule: lastRule })),
    {
      ...totalRow(balanceLabel(document), document.credit ?? document.amountDue, document, DUE),
      padding: { above: 8, below: 8 },
      rule: null,
    },
  ]
  const columns = [
    { heading: '', width: WIDTH - AMOUNT_WIDTH - 12, align: 'left' as const },
    { heading: '', width: AMOUNT_WIDTH, align: 'right' as const },
  ]
  return { left: PAGE.right - WIDTH, columns, rows, title: null, headRule: lastRule }
}

/** A list of the row of an adjustment; an empty list without one. */
const adjustmentRows = (adjustment: InvoiceAdjustment | null, document: InvoiceDocument): readonly Row[] =>
  adjustment === null ? [] : [totalRow(adjustment.name, adjustment.amount, document, BODY)]

/** The words before the amount due, or before what a credit note gives. */
export const balanceLabel = ({ credit, currency }: InvoiceDocument): string => `${credit === null ? 'Amount due' : 'Credit'} (${currency})`

/** The words before a tax: its name, with rate and base where they are known. */
const taxLabel = ({ name, ratePercent, base }: InvoiceTax, document: InvoiceDocument): string => {
  const named = ratePercent === null ? name : `${name} ${ratePercent}%`
  return base === null ? named : `${named} on ${formatMoney(base, document)}`
}

/** A row of the totals, which no page break parts from the next. */
const totalRow = (label: string, decimal: string, document: InvoiceDocument, style: Style): Row => ({
  cells: [{ text: label, isRowHeader: true }, { text: formatMoney(decimal, document) }],
  style,
  isKeptWithNext: true,
})
