import { useAccount } from '../../shell/account.tsx'
import { invoiceLabels } from '../../shell/invoice-labels.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './dashboard.module.css'
import type { InvoiceTotals } from './invoice-totals.ts'

interface SummaryTileProps {
  totals: InvoiceTotals | undefined
  symbol: string
}

/** The number of invoices, of overdue ones, and the total due. */
export const SummaryTile = ({ totals, symbol }: SummaryTileProps) => {
  const { singular, plural } = invoiceLabels(useAccount().settings)
  const title = `${singular} summary`
  return (
    <Tile title={title} minHeight={104} grow>
      {totals ? (
        <dl className={styles.summary}>
          <div>
            <dt>{plural}</dt>
            <dd>{formatNumber(totals.count)}</dd>
          </div>
          <div>
            <dt>Overdue</dt>
            <dd data-tone={totals.overdue > 0 ? 'bad' : undefined}>{formatNumber(totals.overdue)}</dd>
          </div>
          <div>
            <dt>Total due</dt>
            <dd>{formatMoney(totals.totalDue, symbol)}</dd>
          </div>
        </dl>
      ) : (
        <SpinnerOverlay label={`Loading ${title}`} />
      )}
    </Tile>
  )
}
