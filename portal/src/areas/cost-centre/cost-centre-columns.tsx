import type { ServiceItem } from '@counterfoil/contract/service-items'
import { Icon } from '../../ui/icon.tsx'
import type { GridColumn } from '../../ui/grid/grid-model.ts'
import { priceText, type UsagePrices } from './usage-of-month.ts'
import styles from './cost-centre.module.css'

const EMPTY_CELL = '–'
const LOADING_CELL = '…'

export interface CostCentreColumnsOptions {
  readonly serviceItemLabel: string
  readonly currencySymbol: string
  /** Null while they are loading, undefined when they could not be loaded. */
  readonly prices: UsagePrices | null | undefined
}

/** Service item, description, cost centre and the price of this month's usage. The service item is a button that opens the row's dialog. */
export const costCentreColumns = ({
  serviceItemLabel,
  currencySymbol,
  prices,
}: CostCentreColumnsOptions): readonly GridColumn<ServiceItem>[] => [
  {
    key: 'serviceItem',
    label: serviceItemLabel,
    cell: ({ serviceItem }) => (
      <button type="button" className={styles.openButton} aria-haspopup="dialog">
        {serviceItem}
      </button>
    ),
    sortBy: ({ serviceItem }) => serviceItem,
    cardSlot: 'title',
  },
  {
    key: 'description',
    label: 'Description',
    cell: ({ description }) => description ?? EMPTY_CELL,
    sortBy: ({ description }) => description ?? '',
    cardSlot: 'date',
  },
  {
    key: 'costCentre',
    label: 'Cost Centre',
    cell: ({ costCentre }) => (
      <span className={styles.editable}>
        {costCentre ?? EMPTY_CELL}
        <Icon name="edit" />
      </span>
    ),
    sortBy: ({ costCentre }) => costCentre ?? '',
    cardSlot: 'status',
  },
  {
    key: 'price',
    label: 'This month',
    align: 'end',
    cell: (item) => {
      if (!prices) return prices === null ? LOADING_CELL : EMPTY_CELL
      return priceText([item], prices, currencySymbol)
    },
    sortBy: ({ id }) => Number(prices?.get(id) ?? 0),
    cardSlot: 'amount',
  },
]
