import { MAX_SERVICE_ITEMS, type ServiceItem } from '@counterfoil/contract/service-items'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccount } from '../../shell/account/account.tsx'
import { itemCountText } from '../../shell/item-count-text.ts'
import { Page } from '../../shell/page.tsx'
import { serviceItemsQuery } from '../../api/service-items.data.ts'
import { servicesQuery } from '../../api/services.data.ts'
import { formatDayRange } from '../../format/format.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { NARROW } from '../../ui/grid/grid-frame.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { usageOfMonthQuery } from './cost-centre.data.ts'
import { costCentreColumns } from './cost-centre-columns.tsx'
import { CostCentreFilters } from './cost-centre-filters.tsx'
import { filterServiceItems, EMPTY_SEARCH } from './cost-centre-search.ts'
import { DownloadCostCentresButton } from './download-cost-centres-button.tsx'
import { EditCostCentreDialog } from './edit-dialog.tsx'
import { UsageError } from './usage-error.tsx'
import { priceText, toUsagePrices } from './usage-of-month.ts'

const TITLE = 'Cost Centre Allocation'
const NO_ITEMS: readonly ServiceItem[] = []

/** `/cost-centre`: the service items of a service, with their descriptions and cost centres. */
export const CostCentrePage = () => {
  const { branding, customer } = useAccount()
  const [searchParams, setSearchParams] = useSearchParams()
  const services = useQuery(servicesQuery())
  const service = services.data?.find(({ id }) => String(id) === searchParams.get('service')) ?? services.data?.[0]
  const serviceItems = useQuery({ ...serviceItemsQuery(service?.id ?? 0), enabled: service !== undefined })
  const usage = useQuery({ ...usageOfMonthQuery(service?.id ?? 0), enabled: serviceItems.data !== undefined })
  const [search, setSearch] = useState(EMPTY_SEARCH)
  const [editedItem, setEditedItem] = useState<ServiceItem>()

  const itemLabel = service?.serviceItemLabel || branding.serviceItemLabel
  const { currencySymbol } = customer
  const usageItems = usage.data?.items
  const prices = useMemo(() => usageItems && toUsagePrices(usageItems), [usageItems])
  const shownPrices = prices ?? (usage.isError ? undefined : null)
  const columns = useMemo(
    () => costCentreColumns({ serviceItemLabel: itemLabel, currencySymbol, prices: shownPrices }),
    [itemLabel, currencySymbol, shownPrices],
  )
  const items = serviceItems.data ?? NO_ITEMS
  const currentItem = items.find(({ id }) => id === editedItem?.id)
  const visibleItems = useMemo(() => filterServiceItems(items, search), [items, search])
  const countText = itemCountText(visibleItems.length, items.length, MAX_SERVICE_ITEMS)
  const sumText = useMemo(() => prices && priceText(visibleItems, prices, currencySymbol), [visibleItems, prices, currencySymbol])
  const failedQuery = [services, serviceItems].find(({ isError }) => isError)
  const isPhone = useMediaQuery(NARROW)
  const download = <DownloadCostCentresButton service={service} items={items} itemLabel={itemLabel} />
  const emptyText = items.length === 0 ? 'There are no data yet' : 'No results match your search'

  return (
    <Page title={TITLE} aside={!isPhone && download}>
      <CostCentreFilters
        beside={isPhone ? download : undefined}
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
        summary={
          items.length === 0 ? '' : `${countText}${usage.data === undefined ? '' : ` · This month: ${formatDayRange(usage.data)} UTC`}`
        }
        {...(sumText !== undefined && visibleItems.length > 0 && { sums: { label: `Sum of ${countText}`, cells: { price: sumText } } })}
        busy={services.isPending || (service !== undefined && serviceItems.isPending)}
        empty={failedQuery === undefined ? emptyText : <Unavailable subject={TITLE} onRetry={() => void failedQuery.refetch()} />}
      />
      {usage.isError && <UsageError error={usage.error} onRetry={() => void usage.refetch()} />}
      {editedItem !== undefined && (
        <EditCostCentreDialog key={editedItem.id} item={currentItem ?? editedItem} onClose={() => setEditedItem(undefined)} />
      )}
    </Page>
  )
}
