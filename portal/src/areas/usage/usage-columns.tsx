import { formatTime } from '../../format/calendar.ts'
import { formatDay, formatUnitPrice } from '../../format/format.ts'
import type { Column } from '../../ui/grid/grid-model.ts'
import type { UsageRow } from './usage.data.ts'
import styles from './usage.module.css'
import { unitsWords } from './usage-texts.ts'

type Words = 'serviceItemName' | 'serviceItem2' | 'serviceItem3' | 'recordType' | 'serviceItemDescription' | 'siteName' | 'costCentre'

/** The columns of the usage grid (portal.md §2, Usage); the server sorts by their keys. */
export const usageColumns = (currencySymbol: string, showsCostCentre: boolean): readonly Column<UsageRow>[] => [
  words('serviceItemName', 'Service Item'),
  words('serviceItem2', 'Service Item 2'),
  words('serviceItem3', 'Service Item 3'),
  words('recordType', 'Record Type'),
  { key: 'units', label: 'Units', align: 'end', cell: ({ units }) => unitsWords(units), sortBy: ({ units }) => units },
  words('serviceItemDescription', 'Service Item Description'),
  words('siteName', 'Site'),
  {
    key: 'date',
    label: 'Date',
    cell: ({ date }) => (
      <time className={styles.figures} dateTime={date}>
        <span className={styles.whole}>{formatDay(date)},</span> <span className={styles.whole}>{formatTime(date)}</span>
      </time>
    ),
    sortBy: ({ date }) => date,
  },
  { key: 'price', label: 'Price', align: 'end', cell: ({ price }) => formatUnitPrice(price, currencySymbol), sortBy: ({ price }) => price },
  ...(showsCostCentre ? [words('costCentre', 'Cost Centre')] : []),
]

const NOTHING = <span className={styles.none}>–</span>

const words = (key: Words, label: string): Column<UsageRow> => ({
  key,
  label,
  cell: (row) => row[key] || NOTHING,
  sortBy: (row) => row[key] ?? '',
})
