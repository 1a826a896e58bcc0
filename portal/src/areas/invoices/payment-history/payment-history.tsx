import { HISTORY_PAGE_SIZE, type InvoicePaymentEntry } from '@counterfoil/contract/payment-history'
import type { Invoice } from '@counterfoil/contract/invoices'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAccount } from '../../../shell/account/account.tsx'
import { DownloadReceipt } from '../../../payments/invoices/download-receipt.tsx'
import { formatDay, formatMoney } from '../../../format/format.ts'
import { onPaidElsewhere } from '../../../payments/outcome/payment-broadcast.ts'
import { Pagination } from '../../../ui/grid/pagination.tsx'
import { pageCount } from '../../../ui/grid/pagination-model.ts'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { SupportText } from '../../../ui/feedback/support-text.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { Unavailable } from '../../../ui/feedback/unavailable.tsx'
import { invoicePaymentsQuery } from './payment-history.data.ts'
import styles from './payment-history.module.css'
import { amountNotes, noPaymentsText, OUTCOME_TAGS, outcomeNote } from './payment-texts.ts'

interface PaymentHistoryProps {
  readonly invoice: Pick<Invoice, 'id' | 'number' | 'paid' | 'invoiceStatus' | 'amountDue' | 'currencySymbol'>
  readonly id: string
}

/** The attempts to pay an invoice, from the server, by pages: date, amount, method, outcome and receipt (PAY-01). */
export const PaymentHistory = ({ invoice, id }: PaymentHistoryProps) => {
  const [page, setPage] = useState(1)
  const { data, isError, isFetching, refetch } = useQuery(invoicePaymentsQuery(invoice.id, page))
  const label = `Payments of ${invoice.number}`
  // An invoice paid in another tab can be marked as paid before its payment is listed.
  const isLoading = data === undefined ? !isError : data.totalCount === 0 && invoice.paid && isFetching
  useEffect(() => onPaidElsewhere(() => void refetch()), [refetch])

  return (
    <section id={id} className={styles.history} aria-label={label}>
      <p className={styles.title}>Payments</p>
      {isLoading && <Spinner label={`Loading ${label}`} size="small" />}
      {data === undefined && isError && <Unavailable subject={label} onRetry={() => void refetch()} />}
      {data?.totalCount === 0 && !isLoading && <p className={styles.empty}>{noPaymentsText(invoice)}</p>}
      {data !== undefined && data.totalCount > 0 && (
        <ul className={styles.list}>
          {data.payments.map((entry) => (
            <HistoryEntry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data !== undefined && data.totalCount > HISTORY_PAGE_SIZE && (
        <Pagination label={label} page={page} count={pageCount(data.totalCount, HISTORY_PAGE_SIZE)} onPage={setPage} />
      )}
    </section>
  )
}

/** One attempt to pay: date, total with notes, method, outcome, and the receipt where there is one. */
const HistoryEntry = ({ entry }: { entry: InvoicePaymentEntry }) => {
  const { settings } = useAccount()
  const { label: word, tone } = OUTCOME_TAGS[entry.outcome]
  const [day, total] = [formatDay(entry.date), formatMoney(entry.total, entry.currencySymbol)]
  const notes = amountNotes(entry, settings.invoiceLabel.plural)
  const note = outcomeNote(entry)
  return (
    <li className={styles.entry}>
      <span className={styles.day}>{day}</span>
      <span className={styles.amounts}>
        <span className={styles.total}>{total}</span>
        {notes.map((noteText) => (
          <span key={noteText} className={styles.small}>
            {noteText}
          </span>
        ))}
      </span>
      <span className={styles.method}>
        {entry.method}
        <span className={styles.small}>Reference {entry.reference}</span>
      </span>
      <span className={styles.outcome}>
        <span className={styles.tag}>
          <Tag tone={tone}>{word}</Tag>
        </span>
        {note !== null && (
          <span className={`${styles.small} ${styles.note}`}>
            <SupportText>{note}</SupportText>
          </span>
        )}
      </span>
      <span className={styles.receipt}>{entry.hasReceipt && <DownloadReceipt id={entry.id} description={`of ${day}, ${total}`} />}</span>
    </li>
  )
}
