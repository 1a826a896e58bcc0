import type { Invoice } from '@counterfoil/contract/invoices'
import { useAccount } from '../../shell/account/account.tsx'
import { formatDay, formatMoney } from '../../format/format.ts'
import { invoiceLabels } from '../../shell/account/invoice-labels.ts'
import { DownloadInvoice, PayInvoice } from '../../payments/invoices/invoice-actions.tsx'
import { invoiceState } from '../../payments/invoices/invoice-state.ts'
import { Tag } from '../../ui/feedback/tag.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './dashboard.module.css'
import { type LoadState, TilePlaceholder } from './tile-placeholder.tsx'

/** Minimum heights in pixels: without an invoice, with one that is settled, with one to pay. */
const MIN_HEIGHT = { none: 97, settled: 201, payable: 252 } as const

/** The newest invoice, with a PDF download and, where it is payable, its due day and a Pay button (DASH-03). */
export const RecentInvoiceTile = ({ invoice, loadState }: { invoice: Invoice | undefined; loadState: LoadState }) => {
  const { settings } = useAccount()
  const { singular, plural } = invoiceLabels(settings)
  const title = `Recent ${singular}`
  if (invoice === undefined) {
    const hasNoAnswer = loadState.isBusy || loadState.isFailed
    return (
      <Tile title={title} minHeight={loadState.isBusy ? MIN_HEIGHT.payable : MIN_HEIGHT.none}>
        {hasNoAnswer ? (
          <TilePlaceholder subject={plural} loadState={loadState} />
        ) : (
          <p className={styles.none}>There are no invoices yet</p>
        )}
      </Tile>
    )
  }

  const { label: word, tone } = invoiceState(invoice)
  const isPayable = settings.payments.enabled && invoice.canPay
  return (
    <Tile title={title} minHeight={isPayable ? MIN_HEIGHT.payable : MIN_HEIGHT.settled} aside={<Tag tone={tone}>{word}</Tag>}>
      <p className={styles.amount}>{formatMoney(invoice.amount, invoice.currencySymbol)}</p>
      <p className={styles.muted}>
        {invoice.number} · issued {formatDay(invoice.dateInvoice)}
      </p>
      {isPayable && (
        <p className={styles.due}>
          <strong>{formatMoney(invoice.amountDue, invoice.currencySymbol)}</strong> due {formatDay(invoice.dateDue)}
        </p>
      )}
      <div className={styles.buttons}>
        <PayInvoice invoice={invoice} kind="quiet" />
        <DownloadInvoice invoice={invoice} kind="quiet" text="Download PDF" />
      </div>
    </Tile>
  )
}
