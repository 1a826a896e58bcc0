import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Column } from '../../ui/grid/grid-model.ts'
import styles from './cost-centre.module.css'

const NOTHING = '–'

/** Service item, description and cost centre; the service item is the way into the row's dialog. */
export const costCentreColumns = (serviceItemLabel: string): readonly Column<ServiceItem>[] => [
  {
    key: 'serviceItem',
    label: serviceItemLabel,
    cell: ({ serviceItem }) => (
      <button type="button" className={styles.way} aria-haspopup="dialog">
        {serviceItem}
      </button>
    ),
    sortBy: ({ serviceItem }) => serviceItem,
  },
  {
    key: 'description',
    label: 'Description',
    cell: ({ description }) => description ?? NOTHING,
    sortBy: ({ description }) => description ?? '',
  },
  {
    key: 'costCentre',
    label: 'Cost Centre',
    cell: ({ costCentre }) => costCentre ?? NOTHING,
    sortBy: ({ costCentre }) => costCentre ?? '',
  },
]
