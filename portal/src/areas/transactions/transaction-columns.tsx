import type { Transaction } from '@counterfoil/contract/transactions'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import type { Column } from '../../ui/grid/grid-model.ts'
import type { ExtraField } from './extra-fields.ts'
import styles from './transactions.module.css'

const NOTHING = '–'
const QUANTITY_DECIMALS = 6

type Text = Exclude<keyof Transaction, 'id' | 'price' | 'quantity'>

/** The columns of transactions and the extra ones of this brand (portal.md §2, Transactions). */
export const transactionColumns = (currencySymbol: string, extras: readonly ExtraField[]): readonly Column<Transaction>[] => [
  {
    key: 'product',
    label: 'Product',
    cell: (row) => <Product {...row} />,
    sortBy: ({ productLabel, productName }) => `${productLabel} ${productName}`,
  },
  text('serviceName', 'Service'),
  text('serviceItem', 'Service Item'),
  text('siteLabel', 'Site'),
  text('invoiceNumber', 'Invoice'),
  { key: 'price', label: 'Price', align: 'end', cell: ({ price }) => formatMoney(price, currencySymbol), sortBy: ({ price }) => price },
  {
    key: 'quantity',
    label: 'Qty',
    align: 'end',
    cell: ({ quantity }) => formatNumber(quantity, QUANTITY_DECIMALS),
    sortBy: ({ quantity }) => quantity,
  },
  day('dateFrom', 'From'),
  day('dateTo', 'To'),
  ...extras.map(({ key, label }) => text(key, label)),
]

const text = (key: Text, label: string): Column<Transaction> => ({
  key,
  label,
  cell: (row) => row[key] || NOTHING,
  sortBy: (row) => row[key] ?? '',
})

const day = (key: 'dateFrom' | 'dateTo', label: string): Column<Transaction> => ({
  key,
  label,
  cell: (row) => (row[key] === null ? NOTHING : <span className={styles.day}>{formatDay(row[key])}</span>),
  sortBy: (row) => row[key] ?? '',
})

const Product = ({ productLabel, productName }: Transaction) => (
  <>
    {productLabel} <span className={styles.code}>{productName}</span>
  </>
)
