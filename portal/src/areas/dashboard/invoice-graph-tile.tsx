import type { Invoice } from '@counterfoil/contract/invoices'
import { useAccount } from '../../shell/account.tsx'
import { invoiceLabels } from '../../shell/invoice-labels.ts'
import { formatCompactAmount, formatDay, formatMoney, formatShortDay, formatTick } from '../../format/format.ts'
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'

/** The number of bars, their maximum height in pixels, and the number of gridlines (DASH-02). */
const MAX_BARS = 5
const BAR_HEIGHT = 180
const GRIDLINES = 5

/** The latest five invoices as bars, oldest first. */
export const InvoiceGraphTile = ({ invoices }: { invoices: readonly Invoice[] | undefined }) => {
  const { singular, plural } = invoiceLabels(useAccount().settings)
  const title = `Latest ${MAX_BARS} ${plural}`
  return (
    <Tile title={title} minHeight={286}>
      {invoices ? (
        <BarChart
          label={title}
          headings={[singular, 'Amount']}
          bars={invoices.slice(0, MAX_BARS).toReversed().map(toBar)}
          formatTick={formatTick}
          barHeight={BAR_HEIGHT}
          gridlines={GRIDLINES}
        />
      ) : (
        <SpinnerOverlay label={`Loading ${title}`} />
      )}
    </Tile>
  )
}

const toBar = ({ id, number, amount, currencySymbol, dateInvoice }: Invoice): Bar => ({
  key: String(id),
  label: formatShortDay(dateInvoice),
  rowLabel: `${number}, ${formatDay(dateInvoice)}`,
  rowValue: formatMoney(amount, currencySymbol),
  value: amount,
  valueText: formatCompactAmount(amount),
  detail: `${number} · ${formatDay(dateInvoice)} · ${formatMoney(amount, currencySymbol)}`,
})
