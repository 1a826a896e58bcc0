import type { Transaction } from '@counterfoil/contract/transactions'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import type { Column } from '../../ui/grid/grid-model.ts'
import type { ExtraField } from './extra-fields.ts'
import styles from './transactions.module.css'

const EMPTY_CELL = '–'
const QUANTITY_DECIMALS = 6

type TextKey = Exclude<keyof Transaction, 'id' | 'price' | 'quantity'>

/** The columns of the grid, followed by the brand's extra ones (TXN-02). */
export const transactionColumns = (currencySymbol: string, extraFields: readonly ExtraField[]): readonly Column<Transaction>[] => [
  {
    key: 'product',
    label: 'Product',
    cell: (row) => <Product {...row} />,
    sortBy: ({ productLabel, productName }) => `${productLabel} ${productName}`,
  },
  textColumn('serviceName', 'Service'),
  textColumn('serviceItem', 'Service Item'),
  textColumn('siteLabel', 'Site'),
  textColumn('invoiceNumber', 'Invoice'),
  { key: 'price', label: 'Price', align: 'end', cell: ({ price }) => formatMoney(price, currencySymbol), sortBy: ({ price }) => price },
  {
    key: 'quantity',
    label: 'Qty',
    align: 'end',
    cell: ({ quantity }) => formatNumber(quantity, QUANTITY_DECIMALS),
    sortBy: ({ quantity }) => quantity,
  },
  dayColumn('dateFrom', 'From'),
  dayColumn('dateTo', 'To'),
  ...extraFields.map(({ key, label }) => textColumn(key, label)),
]

const textColumn = (key: TextKey, label: string): Column<Transaction> => ({
  key,
  label,
  cell: (row) => row[key] || EMPTY_CELL,
  sortBy: (row) => row[key] ?? '',
})

const dayColumn = (key: 'dateFrom' | 'dateTo', label: string): Column<Transaction> => ({
  key,
  label,
  cell: (row) => (row[key] === null ? EMPTY_CELL : <span className={styles.day}>{formatDay(row[key])}</span>),
  sortBy: (row) => row[key] ?? '',
})

const Product = ({ productLabel, productName }: Transaction) => (
  <>
    {productLabel} <span className={styles.code}>{productName}</span>
  </>
)
