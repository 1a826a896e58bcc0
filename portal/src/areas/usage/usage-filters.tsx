import { TIMEFRAMES } from '@counterfoil/contract/kit/day'
import type { UsageFilterIds } from '@counterfoil/contract/kit/usage-filter'
import { useMemo } from 'react'
import { ComboBox } from '../../ui/form/combo-box.tsx'
import { type Option, Select } from '../../ui/form/select.tsx'
import styles from './usage.module.css'
import { filterOptions, type UsageFilterLists } from './filter-options.ts'
import type { UsageSelection } from './usage-view.ts'

export interface UsageFiltersProps {
  selection: UsageSelection
  lists: UsageFilterLists
  onChange: (change: Partial<UsageSelection>) => void
}

const TIMEFRAME_OPTIONS: readonly Option[] = TIMEFRAMES.map((timeframe) => ({ id: timeframe, label: timeframe }))

/** The five filters of usage (USG-01 to USG-03). */
export const UsageFilters = ({ selection, lists, onChange }: UsageFiltersProps) => {
  const { agreements, services, serviceItems, recordTypes } = lists
  const options = useMemo(() => {
    const serviceName = new Map(services?.map(({ id, name }) => [id, name]))
    const nameOfService = ({ serviceId }: { serviceId: number }): string => serviceName.get(serviceId) ?? String(serviceId)
    return {
      agreements: filterOptions('All Agreements', agreements, ({ agreementName }) => agreementName),
      services: filterOptions('All Services', services, ({ name }) => name),
      serviceItems: filterOptions('All Connections', serviceItems, ({ serviceItem }) => serviceItem, nameOfService),
      recordTypes: filterOptions('All Record Types', recordTypes, ({ description }) => description, nameOfService),
    }
  }, [agreements, services, serviceItems, recordTypes])
  const select = (name: keyof UsageFilterIds) => (id: string) => onChange({ [name]: Number(id) })

  return (
    <fieldset className={styles.filters} aria-label="Filters">
      <div className={styles.narrow}>
        <Select label="Agreement" {...selectProps(options.agreements, selection.agreement)} onChange={select('agreement')} />
      </div>
      <div className={styles.narrow}>
        <Select
          label="Filter by timeframe"
          options={TIMEFRAME_OPTIONS}
          value={selection.timeframe}
          onChange={(id) => onChange({ timeframe: TIMEFRAMES.find((timeframe) => timeframe === id) ?? selection.timeframe })}
        />
      </div>
      <div className={styles.narrow}>
        <Select label="Filter by service" {...selectProps(options.services, selection.service)} onChange={select('service')} />
      </div>
      <ComboBox
        label="Filter by connection"
        {...selectProps(options.serviceItems, selection.serviceItem)}
        onChange={select('serviceItem')}
      />
      <ComboBox label="Filter by type" {...selectProps(options.recordTypes, selection.recordType)} onChange={select('recordType')} />
    </fieldset>
  )
}

/** The options and the value of a select. The value keeps an option while the list is loading. */
const selectProps = (options: readonly Option[], id: number): { options: readonly Option[]; value: string } => {
  const value = String(id)
  return { options: options.some((option) => option.id === value) ? options : [...options, { id: value, label: '…' }], value }
}
