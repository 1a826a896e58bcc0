import type { Invoice } from '@counterfoil/contract/invoices'
import { Link } from 'react-router'
import { useAccount } from '../../shell/account/account.tsx'
import { formatDay, formatMoney } from '../../format/format.ts'
import { invoiceLabels } from '../../shell/account/invoice-labels.ts'
import { DownloadInvoice, OpenInvoice, PayInvoice } from '../../payments/invoices/invoice-actions.tsx'
import { invoiceState } from '../../payments/invoices/invoice-state.ts'
import { isPathEnabled } from '../../shell/navigation/sections.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './dashboard.module.css'

const MAX_SHOWN = 4
const INVOICES_PATH = '/invoices'

/** The `MAX_SHOWN` invoices before the newest one, with pay, open and download actions and a link to all (DASH-04). */
export const PreviousInvoicesTile = ({ invoices }: { invoices: readonly Invoice[] | undefined }) => {
  const { branding, settings } = useAccount()
  const { plural } = invoiceLabels(settings)
  const previous = invoices?.slice(1, 1 + MAX_SHOWN)
  return (
    <Tile
      title={`Previous ${plural}`}
      minHeight={invoices ? 0 : 240}
      grow
      aside={isPathEnabled(INVOICES_PATH, branding) && <Link to={INVOICES_PATH}>All {plural}</Link>}
    >
      {previous?.length === 0 && <p className={styles.muted}>No previous {plural}</p>}
      {previous && previous.length > 0 && (
        <ul className={styles.previous}>
          {previous.map((invoice) => (
            <PreviousInvoice key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      )}
      {!previous && <SpinnerOverlay label={`Loading previous ${plural}`} />}
    </Tile>
  )
}

/** A line of the list: number, day of issue, status, amount, and the actions. */
const PreviousInvoice = ({ invoice }: { invoice: Invoice }) => {
  const { label: word, tone } = invoiceState(invoice)
  return (
    <li className={styles.invoice}>
      <span className={styles.number}>{invoice.number}</span>
      <span className={styles.day}>{formatDay(invoice.dateInvoice)}</span>
      <span className={styles.state}>
        <Tag tone={tone}>{word}</Tag>
      </span>
      <span className={styles.sum}>{formatMoney(invoice.amount, invoice.currencySymbol)}</span>
      <span className={styles.actions}>
        <PayInvoice invoice={invoice} />
        <OpenInvoice invoice={invoice} />
        <DownloadInvoice invoice={invoice} />
      </span>
    </li>
  )
}
