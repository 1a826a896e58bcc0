import type { Transaction } from '@counterfoil/contract/transactions'
import { Link } from 'react-router'
import { formatDay, formatDayRange, formatMoney, formatNumber } from '../../format/format.ts'
import { INVOICES_PATH } from '../../shell/navigation/paths.ts'
import type { GridColumn } from '../../ui/grid/grid-model.ts'
import type { ExtraField } from './extra-fields.ts'
import { QUANTITY_DECIMALS } from './transaction-sums.tsx'
import styles from './transactions.module.css'

const EMPTY_CELL = '–'

type TextKey = Exclude<keyof Transaction, 'id' | 'price' | 'currency' | 'quantity'>

interface ColumnOptions {
  readonly symbolOf: (currency: string) => string
  readonly extraFields: readonly ExtraField[]
  /** An invoice's number leads to the invoice. */
  readonly linksInvoices: boolean
}

/** The columns of the grid, followed by the brand's extra ones (TXN-02). */
export const transactionColumns = ({ symbolOf, extraFields, linksInvoices }: ColumnOptions): readonly GridColumn<Transaction>[] => [
  {
    key: 'product',
    label: 'Product',
    cell: (row) => <Product {...row} />,
    sortBy: ({ productLabel, productName }) => `${productLabel} ${productName}`,
    cardSlot: 'title',
    cardCell: ({ productLabel }) => productLabel,
  },
  textColumn('serviceName', 'Service'),
  { ...textColumn('serviceItem', 'Service Item'), stackedBelow: 'serviceName', nowrap: true, cardSlot: 'date' },
  textColumn('siteLabel', 'Site'),
  {
    ...textColumn('invoiceNumber', 'Invoice'),
    nowrap: true,
    ...(linksInvoices && { cell: ({ invoiceNumber }) => (invoiceNumber ? <InvoiceLink number={invoiceNumber} /> : EMPTY_CELL) }),
  },
  {
    key: 'price',
    label: 'Price',
    align: 'end',
    cell: ({ price, currency }) => formatMoney(price, symbolOf(currency)),
    sortBy: ({ price }) => price,
    cardSlot: 'amount',
  },
  {
    key: 'quantity',
    label: 'Qty',
    align: 'end',
    stackedBelow: 'price',
    repeatsLabelWhenStacked: true,
    cell: ({ quantity }) => formatNumber(quantity, QUANTITY_DECIMALS),
    sortBy: ({ quantity }) => quantity,
    cardSlot: 'status',
    cardCell: ({ quantity }) => `Qty ${formatNumber(quantity, QUANTITY_DECIMALS)}`,
  },
  { ...dayColumn('dateFrom', 'From'), cardSlot: 'date', cardCell: daysText },
  { ...dayColumn('dateTo', 'To'), stackedBelow: 'dateFrom' },
  ...extraFields.map(({ key, label }) => textColumn(key, label)),
]

/** A column of one of the transaction's texts; a dash where it is empty. */
const textColumn = (key: TextKey, label: string): GridColumn<Transaction> => ({
  key,
  label,
  cell: (row) => row[key] || EMPTY_CELL,
  sortBy: (row) => row[key] ?? '',
})

/** A column of a day; a dash where there is none. */
const dayColumn = (key: 'dateFrom' | 'dateTo', label: string): GridColumn<Transaction> => ({
  key,
  label,
  cell: (row) => (row[key] === null ? EMPTY_CELL : formatDay(row[key])),
  nowrap: true,
  sortBy: (row) => row[key] ?? '',
})

/** The days of a transaction, such as "1 – 30 Nov 2026"; empty without a first day. */
const daysText = ({ dateFrom, dateTo }: Transaction): string => {
  if (dateFrom === null) return ''
  return dateTo === null || dateTo < dateFrom ? formatDay(dateFrom) : formatDayRange({ from: dateFrom, to: dateTo })
}

/** The product's label and its code. */
const Product = ({ productLabel, productName }: Transaction) => (
  <>
    {productLabel} <span className={styles.code}>{productName}</span>
  </>
)

/** A link to the list of invoices, searched for this number. */
const InvoiceLink = ({ number }: { number: string }) => (
  <Link className={styles.invoice!} to={`${INVOICES_PATH}?${new URLSearchParams({ search: number })}`}>
    {number}
  </Link>
)
