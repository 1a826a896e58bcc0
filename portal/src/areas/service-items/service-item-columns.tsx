import type { ServiceItem } from '@counterfoil/contract/service-items'
import { Link } from 'react-router'
import { TRANSACTIONS_PATH, USAGE_PATH } from '../../shell/navigation/paths.ts'
import button from '../../ui/button/button.module.css'
import type { GridColumn } from '../../ui/grid/grid-model.ts'

/** Which sections a row may lead to. */
interface OpenSections {
  readonly usage: boolean
  readonly transactions: boolean
}

/** Service item, description, the service where there are several, and links to the item's usage and transactions where these sections are open. */
export const serviceItemColumns = (
  label: string,
  services: readonly { readonly id: number; readonly name: string }[],
  open: OpenSections,
): readonly GridColumn<ServiceItem>[] => [
  {
    key: 'serviceItem',
    label,
    cell: ({ serviceItem }) => serviceItem,
    sortBy: ({ serviceItem }) => serviceItem,
    nowrap: true,
    cardSlot: 'title',
  },
  {
    key: 'description',
    label: 'Description',
    cell: ({ description }) => description ?? '–',
    sortBy: ({ description }) => description ?? '',
    cardSlot: 'date',
  },
  ...(services.length > 1 ? [serviceColumn(new Map(services.map(({ id, name }) => [id, name])))] : []),
  ...(open.usage || open.transactions
    ? [
        {
          key: 'links',
          label: 'Usage and transactions',
          isActions: true,
          cell: (item: ServiceItem) => <ItemLinks item={item} open={open} />,
        },
      ]
    : []),
]

/** The column of the name of an item's service; a dash where the service is not among the names. */
const serviceColumn = (names: ReadonlyMap<number, string>): GridColumn<ServiceItem> => {
  const nameOf = ({ serviceId }: ServiceItem): string => names.get(serviceId) ?? ''
  return { key: 'service', label: 'Service', cell: (item) => nameOf(item) || '–', sortBy: nameOf, cardSlot: 'status' }
}

const ItemLinks = ({ item, open }: { item: ServiceItem; open: OpenSections }) => (
  <>
    {open.usage && (
      <ItemLink to={usageAddress(item)} label={`Usage of ${item.serviceItem}`}>
        Usage
      </ItemLink>
    )}
    {open.transactions && (
      <ItemLink to={transactionsAddress(item)} label={`Transactions of ${item.serviceItem}`}>
        Transactions
      </ItemLink>
    )}
  </>
)

const ItemLink = ({ to, label, children }: { to: string; label: string; children: string }) => (
  <Link className={`${button.button} ${button.plain}`} to={to} aria-label={label}>
    {children}
  </Link>
)

/** The URL path and query of the usage page for an item's usage this month. */
export const usageAddress = ({ id, serviceId }: Pick<ServiceItem, 'id' | 'serviceId'>): string =>
  `${USAGE_PATH}?${new URLSearchParams({ service: String(serviceId), connection: String(id) })}`

/** The URL path and query of the transactions page for a search for the item's name. */
export const transactionsAddress = ({ serviceItem }: Pick<ServiceItem, 'serviceItem'>): string =>
  `${TRANSACTIONS_PATH}?${new URLSearchParams({ search: serviceItem })}`
