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
import { found, NO_SEARCH } from './cost-centre-search.ts'
import { DownloadCostCentres } from './download-cost-centres-button.tsx'
import { EditDialog } from './edit-dialog.tsx'

const TITLE = 'Cost Centre Allocation'
const NONE: readonly ServiceItem[] = []

/** `/cost-centre`: the service items of a service, with what they are called and where they are accounted for. */
export const CostCentrePage = () => {
  const { look } = useAccount()
  const [address, setAddress] = useSearchParams()
  const services = useQuery(servicesQuery())
  const service = services.data?.find(({ id }) => String(id) === address.get('service')) ?? services.data?.[0]
  const list = useQuery({ ...serviceItemsQuery(service?.id ?? 0), enabled: service !== undefined })
  const [search, setSearch] = useState(NO_SEARCH)
  const [editing, setEditing] = useState<ServiceItem>()

  const itemLabel = service?.serviceItemLabel || look.serviceItemLabel
  const columns = useMemo(() => costCentreColumns(itemLabel), [itemLabel])
  const items = list.data ?? NONE
  const shown = useMemo(() => found(items, search), [items, search])
  const failed = [services, list].find(({ isError }) => isError)
  const nothing = items.length === 0 ? 'There are no data yet' : 'Nothing matches your search'

  return (
    <Page title={TITLE} aside={<DownloadCostCentres service={service} items={items} itemLabel={itemLabel} />}>
      <CostCentreFilters
        services={services.data ?? []}
        service={service}
        onService={(id) => setAddress({ service: id }, { replace: true })}
        itemLabel={itemLabel}
        search={search}
        onSearch={setSearch}
      />
      <DataGrid
        label={TITLE}
        columns={columns}
        rows={shown}
        rowKey={({ id }) => String(id)}
        chosenBy={JSON.stringify([service?.id, search])}
        onOpen={setEditing}
        busy={services.isPending || (service !== undefined && list.isPending)}
        empty={failed === undefined ? nothing : <Unavailable what={TITLE} onAgain={() => void failed.refetch()} />}
      />
      {editing !== undefined && <EditDialog key={editing.id} item={editing} onClose={() => setEditing(undefined)} />}
    </Page>
  )
}
