import type { ServiceItem } from '@counterfoil/contract/service-items'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccount } from '../../shell/account.tsx'
import { Page } from '../../shell/page.tsx'
import { serviceItemsQuery } from '../../api/service-items.data.ts'
import { servicesQuery } from '../../api/services.data.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { costCentreColumns } from './cost-centre-columns.tsx'
import { CostCentreFilters } from './cost-centre-filters.tsx'
import { filterServiceItems, EMPTY_SEARCH } from './cost-centre-search.ts'
import { DownloadCostCentresButton } from './download-cost-centres-button.tsx'
import { EditCostCentreDialog } from './edit-dialog.tsx'

const TITLE = 'Cost Centre Allocation'
const NO_ITEMS: readonly ServiceItem[] = []

/** `/cost-centre`: the service items of a service, with their descriptions and cost centres. */
export const CostCentrePage = () => {
  const { branding } = useAccount()
  const [searchParams, setSearchParams] = useSearchParams()
  const services = useQuery(servicesQuery())
  const service = services.data?.find(({ id }) => String(id) === searchParams.get('service')) ?? services.data?.[0]
  const serviceItems = useQuery({ ...serviceItemsQuery(service?.id ?? 0), enabled: service !== undefined })
  const [search, setSearch] = useState(EMPTY_SEARCH)
  const [editedItem, setEditedItem] = useState<ServiceItem>()

  const itemLabel = service?.serviceItemLabel || branding.serviceItemLabel
  const columns = useMemo(() => costCentreColumns(itemLabel), [itemLabel])
  const items = serviceItems.data ?? NO_ITEMS
  const currentItem = items.find(({ id }) => id === editedItem?.id)
  const visibleItems = useMemo(() => filterServiceItems(items, search), [items, search])
  const failedQuery = [services, serviceItems].find(({ isError }) => isError)
  const emptyText = items.length === 0 ? 'There are no data yet' : 'No results match your search'

  return (
    <Page title={TITLE} aside={<DownloadCostCentresButton service={service} items={items} itemLabel={itemLabel} />}>
      <CostCentreFilters
        services={services.data ?? []}
        service={service}
        onService={(id) => setSearchParams({ service: id }, { replace: true })}
        itemLabel={itemLabel}
        search={search}
        onSearch={setSearch}
      />
      <DataGrid
        label={TITLE}
        columns={columns}
        rows={visibleItems}
        rowKey={({ id }) => String(id)}
        resetKey={JSON.stringify([service?.id, search])}
        onOpen={setEditedItem}
        busy={services.isPending || (service !== undefined && serviceItems.isPending)}
        empty={failedQuery === undefined ? emptyText : <Unavailable subject={TITLE} onRetry={() => void failedQuery.refetch()} />}
      />
      {editedItem !== undefined && (
        <EditCostCentreDialog key={editedItem.id} item={currentItem ?? editedItem} onClose={() => setEditedItem(undefined)} />
      )}
    </Page>
  )
}
