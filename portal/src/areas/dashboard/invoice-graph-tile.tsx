import type { Invoice } from '@counterfoil/contract/invoices'
import { useAccount } from '../../shell/account/account.tsx'
import { invoiceLabels } from '../../shell/account/invoice-labels.ts'
import { formatDay, formatMoney, formatShortDay } from '../../format/format.ts'
import { formatCompactAmount, formatTick } from '../../format/chart-number.ts'
import { type Bar, BarChart } from '../../ui/chart/bar-chart.tsx'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'

/** The number of bars, their maximum height in pixels, and the number of gridlines (DASH-02). */
const MAX_BARS = 5
const BAR_HEIGHT = 180
const GRIDLINES = 5

/** The latest five invoices as bars, oldest first. Where there are several currencies, those in the newest one's, because bars are compared. */
export const InvoiceGraphTile = ({ invoices }: { invoices: readonly Invoice[] | undefined }) => {
  const { singular, plural } = invoiceLabels(useAccount().settings)
  const currency = invoices?.[0]?.currency
  const own = invoices?.filter((invoice) => invoice.currency === currency)
  const title = `Latest ${MAX_BARS} ${plural}${own?.length === invoices?.length ? '' : ` in ${currency}`}`
  return (
    <Tile title={title} minHeight={286}>
      {own ? (
        <BarChart
          label={title}
          headings={[singular, 'Amount']}
          bars={own.slice(0, MAX_BARS).toReversed().map(toBar)}
          formatTick={(value) => `${own[0]?.currencySymbol ?? ''}${formatTick(value)}`}
          barHeight={BAR_HEIGHT}
          gridlines={GRIDLINES}
        />
      ) : (
        <SpinnerOverlay label={`Loading ${title}`} />
      )}
    </Tile>
  )
}

/** A bar as high as the invoice's amount, labelled with the day of the invoice. */
const toBar = ({ id, number, amount, currencySymbol, dateInvoice }: Invoice): Bar => ({
  key: String(id),
  label: formatShortDay(dateInvoice),
  rowLabel: `${number}, ${formatDay(dateInvoice)}`,
  rowValue: formatMoney(amount, currencySymbol),
  value: amount,
  valueText: formatCompactAmount(amount),
  detail: `${number} · ${formatDay(dateInvoice)} · ${formatMoney(amount, currencySymbol)}`,
})
