import type { ReactNode } from 'react'
import type { Service } from '@counterfoil/contract/services'
import { FilterPanel } from '../../ui/form/filter-panel.tsx'
import { Select } from '../../ui/form/select.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from './cost-centre.module.css'
import type { CostCentreSearch } from './cost-centre-search.ts'

interface CostCentreFiltersProps {
  /** Stands beside the button of the filters, because a phone's heading leaves no room for it. */
  beside: ReactNode
  services: readonly Service[]
  service: Service | undefined
  onService: (id: string) => void
  itemLabel: string
  search: CostCentreSearch
  onSearch: (search: CostCentreSearch) => void
}

/** The service, and a search field for each of the three columns. */
export const CostCentreFilters = ({ beside, services, service, onService, itemLabel, search, onSearch }: CostCentreFiltersProps) => (
  <FilterPanel search={beside} activeCount={Object.values(search).filter((text) => text !== '').length}>
    <div className={styles.filters}>
      <Select
        label="Service"
        options={services.map(({ id, name }) => ({ id: String(id), label: name }))}
        value={String(service?.id ?? '')}
        onChange={onService}
      />
      <TextField
        type="search"
        label={itemLabel}
        value={search.serviceItem}
        onChange={(serviceItem) => onSearch({ ...search, serviceItem })}
      />
      <TextField
        type="search"
        label="Description"
        value={search.description}
        onChange={(description) => onSearch({ ...search, description })}
      />
      <TextField
        type="search"
        label="Cost Centre"
        value={search.costCentre}
        onChange={(costCentre) => onSearch({ ...search, costCentre })}
      />
    </div>
  </FilterPanel>
)
