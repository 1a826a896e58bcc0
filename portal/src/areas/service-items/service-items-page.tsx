import { MAX_SERVICE_ITEMS, type ServiceItem } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { serviceItemsQuery } from '../../api/service-items.data.ts'
import { servicesQuery } from '../../api/services.data.ts'
import { useAccount } from '../../shell/account/account.tsx'
import { itemCountText } from '../../shell/item-count-text.ts'
import { Page } from '../../shell/page.tsx'
import { TRANSACTIONS_PATH, USAGE_PATH } from '../../shell/navigation/paths.ts'
import { isPathEnabled } from '../../shell/navigation/sections.tsx'
import { useTypedParam, withParam } from '../../shell/navigation/address-params.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import filters from '../../ui/form/filters.module.css'
import { Select } from '../../ui/form/select.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { serviceItemColumns } from './service-item-columns.tsx'
import { findServiceItems } from './service-item-search.ts'

const NO_ITEMS: readonly ServiceItem[] = []
const NO_SERVICES: readonly Service[] = []
const ALL_SERVICES = 0

/** `/service-items`: the customer's service items, titled with the brand's label. The address holds the search and the service. */
export const ServiceItemsPage = () => {
  const { branding } = useAccount()
  const { serviceItemLabel } = branding
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useTypedParam('search')
  const { data, isPending, isError, refetch } = useQuery(serviceItemsQuery(ALL_SERVICES))
  const services = useQuery(servicesQuery()).data ?? NO_SERVICES
  const service = services.find(({ id }) => String(id) === params.get('service'))?.id ?? ALL_SERVICES
  const columns = useMemo(
    () =>
      serviceItemColumns(serviceItemLabel, services, {
        usage: isPathEnabled(USAGE_PATH, branding),
        transactions: isPathEnabled(TRANSACTIONS_PATH, branding),
      }),
    [serviceItemLabel, services, branding],
  )
  const items = data ?? NO_ITEMS
  const found = useMemo(() => findServiceItems(items, { search, service }), [items, search, service])
  const emptyText = items.length === 0 ? 'There are no data yet' : 'No results match your search'

  return (
    <Page title={serviceItemLabel}>
      <div className={filters.filters}>
        <TextField type="search" label="Search" placeholder={`${serviceItemLabel} or description`} value={search} onChange={setSearch} />
        {services.length > 1 && (
          <Select
            label="Service"
            options={[{ id: '', label: 'All services' }, ...services.map(({ id, name }) => ({ id: String(id), label: name }))]}
            value={service === ALL_SERVICES ? '' : String(service)}
            onChange={(id) => setParams(withParam('service', id), { replace: true })}
          />
        )}
      </div>
      <DataGrid
        label={serviceItemLabel}
        columns={columns}
        rows={found}
        rowKey={({ id }) => String(id)}
        resetKey={`${service} ${search}`}
        summary={items.length === 0 ? '' : itemCountText(found.length, items.length, MAX_SERVICE_ITEMS)}
        busy={isPending}
        empty={isError ? <Unavailable subject={serviceItemLabel} onRetry={() => void refetch()} /> : emptyText}
      />
    </Page>
  )
}
