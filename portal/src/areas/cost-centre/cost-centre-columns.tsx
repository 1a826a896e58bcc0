import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Column } from '../../ui/grid/grid-model.ts'
import styles from './cost-centre.module.css'

const EMPTY_CELL = '–'

/** Service item, description and cost centre. The service item is a button that opens the row's dialog. */
export const costCentreColumns = (serviceItemLabel: string): readonly Column<ServiceItem>[] => [
  {
    key: 'serviceItem',
    label: serviceItemLabel,
    cell: ({ serviceItem }) => (
      <button type="button" className={styles.openButton} aria-haspopup="dialog">
        {serviceItem}
      </button>
    ),
    sortBy: ({ serviceItem }) => serviceItem,
  },
  {
    key: 'description',
    label: 'Description',
    cell: ({ description }) => description ?? EMPTY_CELL,
    sortBy: ({ description }) => description ?? '',
  },
  {
    key: 'costCentre',
    label: 'Cost Centre',
    cell: ({ costCentre }) => costCentre ?? EMPTY_CELL,
    sortBy: ({ costCentre }) => costCentre ?? '',
  },
]
