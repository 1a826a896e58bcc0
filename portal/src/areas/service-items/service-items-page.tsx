import type { ServiceItem } from '@counterfoil/contract/service-items'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccount } from '../../shell/account.tsx'
import { Page } from '../../shell/page.tsx'
import { serviceItemsQuery } from '../../api/service-items.data.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Column } from '../../ui/grid/grid-model.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'

const NO_ITEMS: readonly ServiceItem[] = []
const ALL_SERVICES = 0

/** `/service-items`: the customer's service items, titled with the brand's label. */
export const ServiceItemsPage = () => {
  const { serviceItemLabel } = useAccount().branding
  const { data, isPending, isError, refetch } = useQuery(serviceItemsQuery(ALL_SERVICES))
  const columns = useMemo(() => serviceItemColumns(serviceItemLabel), [serviceItemLabel])

  return (
    <Page title={serviceItemLabel}>
      <DataGrid
        label={serviceItemLabel}
        columns={columns}
        rows={data ?? NO_ITEMS}
        rowKey={({ id }) => String(id)}
        busy={isPending}
        empty={isError ? <Unavailable subject={serviceItemLabel} onRetry={() => void refetch()} /> : 'There are no data yet'}
      />
    </Page>
  )
}

const serviceItemColumns = (label: string): readonly Column<ServiceItem>[] => [
  { key: 'serviceItem', label, cell: ({ serviceItem }) => serviceItem, sortBy: ({ serviceItem }) => serviceItem },
  {
    key: 'description',
    label: 'Description',
    cell: ({ description }) => description ?? '–',
    sortBy: ({ description }) => description ?? '',
  },
]
