import { TIMEFRAMES } from '@counterfoil/contract/kit/day'
import { useMemo } from 'react'
import { SearchPicker } from '../../ui/form/search-picker.tsx'
import { type Option, Select } from '../../ui/form/select.tsx'
import styles from './usage.module.css'
import { filterOptions, type UsageFilterLists } from './filter-options.ts'
import type { UsageFilter } from './usage-view.ts'

export interface UsageFiltersProps {
  filter: UsageFilter
  lists: UsageFilterLists
  onChange: (change: Partial<UsageFilter>) => void
}

const TIMEFRAME_OPTIONS: readonly Option[] = TIMEFRAMES.map((timeframe) => ({ id: timeframe, label: timeframe }))

/** The five filters of usage (portal.md §2, Usage). */
export const UsageFilters = ({ filter, lists, onChange }: UsageFiltersProps) => {
  const { agreements, services, connections, types } = lists
  const options = useMemo(() => {
    const serviceName = new Map(services?.map(({ id, name }) => [id, name]))
    const nameOfService = ({ serviceId }: { serviceId: number }): string => serviceName.get(serviceId) ?? String(serviceId)
    return {
      agreements: filterOptions('All Agreements', agreements, ({ agreementName }) => agreementName),
      services: filterOptions('All Services', services, ({ name }) => name),
      connections: filterOptions('All Connections', connections, ({ serviceItem }) => serviceItem, nameOfService),
      types: filterOptions('All Record Types', types, ({ description }) => description, nameOfService),
    }
  }, [agreements, services, connections, types])
  const select = (name: 'agreement' | 'service' | 'connection' | 'type') => (id: string) => onChange({ [name]: Number(id) })

  return (
    <fieldset className={styles.filters} aria-label="Filters">
      <div className={styles.short}>
        <Select label="Agreement" {...selectProps(options.agreements, filter.agreement)} onChange={select('agreement')} />
      </div>
      <div className={styles.short}>
        <Select
          label="Filter by timeframe"
          options={TIMEFRAME_OPTIONS}
          value={filter.timeframe}
          onChange={(id) => onChange({ timeframe: TIMEFRAMES.find((timeframe) => timeframe === id) ?? filter.timeframe })}
        />
      </div>
      <div className={styles.short}>
        <Select label="Filter by service" {...selectProps(options.services, filter.service)} onChange={select('service')} />
      </div>
      <SearchPicker label="Filter by connection" {...selectProps(options.connections, filter.connection)} onChange={select('connection')} />
      <SearchPicker label="Filter by type" {...selectProps(options.types, filter.type)} onChange={select('type')} />
    </fieldset>
  )
}

/** What is chosen stands in its field also while its list, and with it its name, is on its way. */
const selectProps = (options: readonly Option[], id: number): { options: readonly Option[]; value: string } => {
  const value = String(id)
  return { options: options.some((option) => option.id === value) ? options : [...options, { id: value, label: '…' }], value }
}
