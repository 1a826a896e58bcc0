import { formatMoney, formatNumber } from '../../format/format.ts'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './dashboard.module.css'
import type { InvoiceFigures } from './invoice-totals.ts'

interface SummaryTileProps {
  figures: InvoiceFigures | undefined
  symbol: string
}

/** How many invoices, how many overdue, and what is due in all. */
export const SummaryTile = ({ figures, symbol }: SummaryTileProps) => (
  <Tile title="Invoice summary" minHeight={104} grow>
    {figures ? (
      <dl className={styles.summary}>
        <div>
          <dt>Invoices</dt>
          <dd>{formatNumber(figures.count)}</dd>
        </div>
        <div>
          <dt>Overdue</dt>
          <dd data-tone={figures.overdue > 0 ? 'bad' : undefined}>{formatNumber(figures.overdue)}</dd>
        </div>
        <div>
          <dt>Total due</dt>
          <dd>{formatMoney(figures.totalDue, symbol)}</dd>
        </div>
      </dl>
    ) : (
      <SpinnerOverlay label="Loading the invoice summary" />
    )}
  </Tile>
)
