import { formatDay, formatShortDay, formatTime, formatUnitPrice } from '../../format/format.ts'
import type { GridColumn } from '../../ui/grid/grid-model.ts'
import type { UsageRow } from './usage.data.ts'
import styles from './usage.module.css'
import { unitsText } from './usage-texts.ts'

type TextKey = 'serviceItemName' | 'serviceItem2' | 'serviceItem3' | 'recordType' | 'serviceItemDescription' | 'siteName' | 'costCentre'

/** The columns of the usage grid. Their keys are the server's sort names. */
export const usageColumns = (currencySymbol: string, showsCostCentre: boolean): readonly GridColumn<UsageRow>[] => [
  { ...textColumn('serviceItemName', 'Service Item'), cardSlot: 'title' },
  textColumn('serviceItem2', 'Service Item 2'),
  { ...textColumn('serviceItem3', 'Service Item 3'), stackedBelow: 'serviceItem2' },
  { ...textColumn('recordType', 'Record Type'), cardSlot: 'date' },
  {
    key: 'units',
    label: 'Units',
    align: 'end',
    stackedBelow: 'price',
    cell: ({ units }) => unitsText(units),
    sortBy: ({ units }) => units,
  },
  { ...textColumn('serviceItemDescription', 'Service Item Description'), stackedBelow: 'serviceItemName' },
  { ...textColumn('siteName', 'Site'), wrapWhenNarrow: true },
  {
    key: 'date',
    label: 'Date',
    cell: ({ date }) => (
      <time className={styles.figures} dateTime={date}>
        <span className={styles.noWrap}>{formatDay(date)},</span> <span className={styles.noWrap}>{formatTime(date)}</span>
      </time>
    ),
    sortBy: ({ date }) => date,
    cardSlot: 'date',
    cardCell: ({ date }) => <span className={styles.noWrap}>{`${formatShortDay(date)}, ${formatTime(date)}`}</span>,
  },
  {
    key: 'price',
    label: 'Price',
    align: 'end',
    cell: ({ price }) => formatUnitPrice(price, currencySymbol),
    sortBy: ({ price }) => price,
    cardSlot: 'amount',
  },
  ...(showsCostCentre ? [{ ...textColumn('costCentre', 'Cost Centre'), stackedBelow: 'siteName', nowrap: true as const }] : []),
]

const EMPTY_CELL = <span>–</span>

/** A column of one of the record's texts; a dash where it is empty. */
const textColumn = (key: TextKey, label: string): GridColumn<UsageRow> => ({
  key,
  label,
  cell: (row) => row[key] || EMPTY_CELL,
  sortBy: (row) => row[key] ?? '',
})
