import type { InvoiceDocument, InvoiceLine } from '../../invoice-document.ts'
import { chargeColumns } from './charge-columns.ts'
import { COLOURS, PAGE, type Canvas, type Style } from '../canvas/canvas.ts'
import { drawTable, type Row } from '../canvas/table.ts'
import { formatMoney, formatPeriod, isZero } from '../print-format.ts'
import { firstTotalsHeight } from './totals.ts'
import { serviceGroups, subtotalOf, type ServiceGroup } from './service-groups.ts'

const LINE: Style = { weight: 'regular', size: 8.5, colour: COLOURS.text, leading: 12 }
const SERVICE: Style = { weight: 'semibold', size: 9, colour: COLOURS.text, leading: 13 }
const PADDING = { above: 4.5, below: 4.5 }
const GAP = 14
const SUBTOTAL: Style = { weight: 'semibold', size: 8.5, colour: COLOURS.muted, leading: 12 }

/** Draws the lines of an invoice under the headings of their services, or a note when there are none. */
export const drawCharges = (canvas: Canvas, document: InvoiceDocument, colour: string): void => {
  const groups = serviceGroups(document.lines)
  const rows = groups.flatMap((group) => groupRows(group, document, groups.length > 1))
  const columns = chargeColumns(rows, PAGE.right - PAGE.left)
  drawTable(canvas, {
    left: PAGE.left,
    title: 'Charges',
    columns,
    rows: rows.length > 0 ? rows : [{ cells: [{ text: noLinesText(document), span: columns.length }], style: LINE }],
    headRule: { colour, thickness: 1 },
    heightBelow: GAP + firstTotalsHeight(document, colour),
  })
  canvas.y += GAP
}

/** What is printed in place of lines: that there are no charges, or that they are not listed. */
const noLinesText = ({ netTotal }: InvoiceDocument): string =>
  isZero(netTotal) ? 'No charges in this period' : 'The charges are not listed one by one'

/** The rows of a service: its heading, its lines, and a subtotal where it has several lines and there are other services. */
const groupRows = (group: ServiceGroup, document: InvoiceDocument, hasOtherGroups: boolean): readonly Row[] => {
  const subtotal = hasOtherGroups && group.lines.length > 1 ? subtotalOf(group, document.currency) : null
  const lines = group.lines.map((line, index) =>
    lineRow(line, document, group.service, index === 0, subtotal !== null && index === group.lines.length - 1),
  )
  const subtotalRows = subtotal === null ? [] : [subtotalRow(group.service, formatMoney(subtotal, document))]
  return [...headingRow(group.service), ...lines, ...subtotalRows]
}

/** The heading of a service in a list; an empty list for lines without a service. */
const headingRow = (service: string): readonly Row[] =>
  service === ''
    ? []
    : [{ cells: [{ text: service, span: 6, isRowHeader: true }], style: SERVICE, padding: { above: 9, below: 4 }, isKeptWithNext: true }]

/**
 * The row of an invoice line. Where a page break comes before the row, the service's name with "(continued)" is printed above it; not for
 * the service's first line.
 */
const lineRow = (line: InvoiceLine, document: InvoiceDocument, service: string, isFirst: boolean, isKeptWithNext: boolean): Row => ({
  cells: lineTexts(line, document).map((text) => ({ text })),
  style: LINE,
  padding: PADDING,
  isKeptWithNext,
  continuationText: isFirst || service === '' ? null : `${service} (continued)`,
})

const subtotalRow = (service: string, subtotal: string): Row => ({
  cells: [{ text: `Subtotal ${service}`, span: 5, isRowHeader: true }, { text: subtotal }],
  style: SUBTOTAL,
  padding: PADDING,
})

/** The cells of an invoice line, in the order of `chargeColumns`. */
const lineTexts = (line: InvoiceLine, document: InvoiceDocument): readonly string[] => [
  line.description,
  line.serviceItem ?? '',
  formatPeriod(line.fromDay, line.toDay, document.language),
  line.quantity === null ? '' : [line.quantity, line.unit].filter((part) => part !== null).join(' '),
  line.unitPrice === null ? '' : formatMoney(line.unitPrice, document),
  formatMoney(line.amount, document),
]
