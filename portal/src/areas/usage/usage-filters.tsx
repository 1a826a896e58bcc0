import type { Day } from '@counterfoil/contract/kit/day'
import type { UsageFilterIds } from '@counterfoil/contract/kit/usage-filter'
import { useMemo } from 'react'
import { FilterPanel } from '../../ui/form/filter-panel.tsx'
import { LazyComboBox } from '../../shell/lazy-combo-box.tsx'
import { type Option, Select } from '../../ui/form/select.tsx'
import styles from './usage.module.css'
import { CustomRange } from './custom-range.tsx'
import { costCentreOfOption, costCentreOptions, filterOptions, optionOfCostCentre, type UsageFilterLists } from './filter-options.ts'
import { CUSTOM_RANGE, rangeFromTimeframe, timeOptions } from './usage-timeframe.ts'
import { countActiveFilters, type UsageSelection } from './usage-view.ts'

export interface UsageFiltersProps {
  selection: UsageSelection
  lists: UsageFilterLists
  today: Day
  showsCostCentre: boolean
  onChange: (change: Partial<UsageSelection>) => void
}

/** The filters of usage (USG-01 to USG-03, EASE-07). */
export const UsageFilters = ({ selection, lists, today, showsCostCentre, onChange }: UsageFiltersProps) => {
  const { agreements, services, serviceItems, recordTypes, choices } = lists
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
  const span = rangeFromTimeframe(selection, today)
  const select = (name: keyof UsageFilterIds) => (id: string) => onChange({ [name]: Number(id) })

  return (
    <FilterPanel activeCount={countActiveFilters(selection)}>
      <fieldset className={styles.filters} data-count={showsCostCentre ? 6 : 5} aria-label="Filters">
        <div className={styles.narrow}>
          <Select label="Agreement" {...selectProps(options.agreements, selection.agreement)} onChange={select('agreement')} />
        </div>
        <div className={styles.narrow}>
          <Select
            label="Filter by timeframe"
            options={timeOptions(choices?.months, selection.timeframe, today)}
            value={selection.timeframe}
            onChange={(timeframe) => onChange(timeframe === CUSTOM_RANGE ? { timeframe, ...span } : { timeframe, from: '', to: '' })}
          />
        </div>
        <div className={styles.narrow}>
          <Select label="Filter by service" {...selectProps(options.services, selection.service)} onChange={select('service')} />
        </div>
        <LazyComboBox
          label="Filter by connection"
          {...selectProps(options.serviceItems, selection.serviceItem)}
          onChange={select('serviceItem')}
        />
        <LazyComboBox label="Filter by type" {...selectProps(options.recordTypes, selection.recordType)} onChange={select('recordType')} />
        {showsCostCentre && (
          <LazyComboBox
            label="Filter by cost centre"
            options={costCentreOptions(choices?.costCentres, selection.costCentre)}
            value={optionOfCostCentre(selection.costCentre)}
            onChange={(id) => onChange({ costCentre: costCentreOfOption(id) })}
          />
        )}
      </fieldset>
      {selection.timeframe === CUSTOM_RANGE && (
        <CustomRange
          key={`${span.from} ${span.to}`}
          span={span}
          onApply={({ from, to }) => onChange({ timeframe: CUSTOM_RANGE, from, to })}
        />
      )}
    </FilterPanel>
  )
}

/** The options and the value of a select. While the list is loading, the value has an option "…". */
const selectProps = (options: readonly Option[], id: number): { options: readonly Option[]; value: string } => {
  const value = String(id)
  return { options: options.some((option) => option.id === value) ? options : [...options, { id: value, label: '…' }], value }
}
