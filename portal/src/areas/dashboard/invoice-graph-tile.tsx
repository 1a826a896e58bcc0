import type { Invoice } from '@counterfoil/contract/invoices'
import { formatDay, formatMoney, formatNumber } from '../../shell/format.ts'
import { formatShortDay } from '../../shell/short-day.ts'
import { type Bar, BarChart } from '../../ui/bar-chart.tsx'
import { Tile } from '../../ui/tile.tsx'
import { type Wait, Waiting } from './waiting.tsx'

/** Latest invoices drawn, height of the tallest bar's gridline and number of gridlines (portal.md §9). */
const LATEST = 5
const BAR_HEIGHT = 180
const GRIDLINES = 5

const TITLE = 'Latest 5 invoices'

/** The latest five invoices as bars, oldest first, as time runs. */
export const InvoiceGraphTile = ({ invoices, wait }: { invoices: readonly Invoice[] | undefined; wait: Wait }) => (
  <Tile title={TITLE} minHeight={wait.isFailed ? 0 : 286}>
    {invoices ? (
      <BarChart
        label={TITLE}
        heads={['Invoice', 'Amount']}
        bars={invoices.slice(0, LATEST).toReversed().map(barOf)}
        formatTick={(value) => formatNumber(value)}
        barHeight={BAR_HEIGHT}
        gridlines={GRIDLINES}
      />
    ) : (
      <Waiting what="The invoice graph" wait={wait} />
    )}
  </Tile>
)

const barOf = ({ id, number, amount, currencySymbol, dateInvoice }: Invoice): Bar => ({
  key: String(id),
  label: formatShortDay(dateInvoice),
  rowLabel: `${number}, ${formatDay(dateInvoice)}`,
  value: amount,
  valueText: formatMoney(amount, ''),
  detail: `${number} · ${formatDay(dateInvoice)} · ${formatMoney(amount, currencySymbol)}`,
})
