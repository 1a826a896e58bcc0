import type { Invoice } from '@counterfoil/contract/invoices'
import type { ReactNode } from 'react'
import { formatDay, formatMoney, formatShortPeriod } from '../../format/format.ts'
import { DownloadInvoice, PayInvoice } from '../../payments/invoices/invoice-actions.tsx'
import { creditOf, isCreditNote, invoiceState } from '../../payments/invoices/invoice-state.ts'
import type { GridColumn } from '../../ui/grid/grid-model.ts'
import { Tag } from '../../ui/feedback/tag.tsx'
import styles from './invoices.module.css'

interface PaymentsColumn {
  /** The button that opens an invoice's payments; null where there is none. */
  readonly toggle: ((invoice: Invoice) => ReactNode) | null
  /** The button stands with a card's other buttons. In a table it stands before the number. */
  readonly isOnCards: boolean
}

/** The columns of the invoice list (INV-01). */
export const invoiceColumns = (label: string, { toggle, isOnCards }: PaymentsColumn): readonly GridColumn<Invoice>[] => [
  {
    key: 'number',
    label,
    nowrap: true,
    cell: (invoice) => (
      <span className={styles.invoice}>
        {!isOnCards && toggle?.(invoice)}
        <span className={styles.number}>{invoice.number}</span>
      </span>
    ),
    sortBy: ({ number }) => number,
    cardSlot: 'title',
  },
  {
    key: 'period',
    label: 'Period',
    stackedBelow: 'number',
    nowrap: true,
    cell: (invoice) => <span className={styles.period}>{periodText(invoice)}</span>,
    sortBy: periodSortKey,
  },
  {
    key: 'issued',
    label: 'Issued',
    nowrap: true,
    cell: ({ dateInvoice }) => formatDay(dateInvoice),
    sortBy: ({ dateInvoice }) => dateInvoice,
  },
  {
    key: 'due',
    label: 'Due',
    stackedBelow: 'issued',
    nowrap: true,
    cell: (invoice) => (isCreditNote(invoice) ? '–' : formatDay(invoice.dateDue)),
    // A credit note has its place by its day of issue, which its card shows; an empty value would hide both.
    sortBy: (invoice) => (isCreditNote(invoice) ? invoice.dateInvoice : invoice.dateDue),
    cardSlot: 'date',
    cardCell: whenText,
  },
  {
    key: 'status',
    label: 'Status',
    cell: (invoice) => <StatusTag invoice={invoice} />,
    sortBy: (invoice) => invoiceState(invoice).label,
    cardSlot: 'status',
  },
  {
    key: 'amount',
    label: 'Amount',
    align: 'end',
    cell: (i) => formatMoney(i.amount, i.currencySymbol),
    sortBy: ({ amount }) => amount,
    cardSlot: 'amount',
  },
  {
    key: 'amountDue',
    label: 'Amount due',
    align: 'end',
    cell: (invoice) => <AmountDue invoice={invoice} />,
    sortBy: ({ amountDue }) => amountDue,
  },
  {
    key: 'actions',
    label: 'Actions',
    isActions: true,
    cell: (invoice) => (
      <>
        <PayInvoice invoice={invoice} />
        <DownloadInvoice invoice={invoice} />
        {isOnCards && toggle?.(invoice)}
      </>
    ),
  },
]

/** What periods are sorted by: the invoice date, because their labels would sort alphabetically. Empty for an invoice without a period. */
const periodSortKey = ({ dateInvoice, periodStart }: Invoice): string => (periodStart === null ? '' : dateInvoice)

/** Such as "Nov 2026"; a dash for an invoice without a period. */
const periodText = ({ periodStart, periodEnd }: Invoice): string =>
  periodStart === null || periodEnd === null ? '–' : formatShortPeriod({ from: periodStart, to: periodEnd })

/** The second line of a card: the due day while something is due, else the day of issue. */
const whenText = ({ amountDue, dateDue, dateInvoice }: Invoice): string =>
  amountDue > 0 ? `due ${formatDay(dateDue)}` : formatDay(dateInvoice)

/** What is due as money; of a credit note what it still gives. */
const AmountDue = ({ invoice }: { invoice: Invoice }) => {
  const { amountDue, currencySymbol } = invoice
  if (creditOf(invoice) > 0) return <span className={styles.due}>Credit {formatMoney(creditOf(invoice), currencySymbol)}</span>
  return <span className={amountDue === 0 ? styles.nothing : styles.due}>{formatMoney(amountDue, currencySymbol)}</span>
}

const StatusTag = ({ invoice }: { invoice: Invoice }) => {
  const { label: word, tone } = invoiceState(invoice)
  return <Tag tone={tone}>{word}</Tag>
}
