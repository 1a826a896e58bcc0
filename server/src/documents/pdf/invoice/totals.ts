import type { InvoiceDocument } from '../../invoice-document.ts'
import { BODY, INK, SHEET, type Paper, type Style } from '../canvas/canvas.ts'
import { drawTable, type Row } from '../canvas/table.ts'
import { printedMoney } from '../print-format.ts'

const WIDTH = 248
const AMOUNT_WIDTH = 104
const TOTAL: Style = { weight: 'semibold', size: 9, colour: INK.text, leading: 13 }
const DUE: Style = { weight: 'semibold', size: 11.5, colour: INK.text, leading: 16 }

/** The space beside the totals, on the page where they end. */
export interface Beside {
  readonly top: number
  readonly width: number
}

/**
 * Net total, each tax, total and amount due at the right, kept on one page while they fit on one.
 */
export const drawTotals = (paper: Paper, document: InvoiceDocument, colour: string): Beside => {
  const last = { colour, thickness: 1 }
  const rows: readonly Row[] = [
    totalRow('Subtotal', document.netTotal, document, BODY),
    ...document.taxes.map(({ name, ratePercent, base, amount }) =>
      totalRow(`${name} ${ratePercent}% on ${printedMoney(base, document)}`, amount, document, BODY),
    ),
    { ...totalRow('Total', document.total, document, TOTAL), rule: last },
    { ...totalRow(`Amount due (${document.currency})`, document.amountDue, document, DUE), padding: { above: 8, below: 8 }, rule: null },
  ]
  const { y: start } = paper
  const { page } = paper.pdf
  const columns = [
    { heading: '', width: WIDTH - AMOUNT_WIDTH - 12, align: 'left' as const },
    { heading: '', width: AMOUNT_WIDTH, align: 'right' as const },
  ]
  drawTable(paper, { left: SHEET.right - WIDTH, columns, rows, title: null, headRule: last })
  const top = paper.pdf.page === page ? start : SHEET.top
  return { top, width: SHEET.right - SHEET.left - WIDTH - 28 }
}

const totalRow = (label: string, decimal: string, document: InvoiceDocument, style: Style): Row => ({
  cells: [{ text: label, isRowHeader: true }, { text: printedMoney(decimal, document) }],
  style,
  isTiedToNext: true,
})
