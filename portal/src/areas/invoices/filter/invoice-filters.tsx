import type { Invoice } from '@counterfoil/contract/invoices'
import { Chips } from '../../../ui/form/chips.tsx'
import { FilterPanel } from '../../../ui/form/filter-panel.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { formatNumber } from '../../../format/format.ts'
import { activeFilterCount, invoiceYears, STATUS_FILTERS, STATUS_LABELS, statusCounts } from './invoice-filter.ts'
import type { useInvoiceFilter } from './use-invoice-filter.ts'

const ALL_YEARS = 'all'

/** The search by number and amount, and the filters by status and year (EASE-05). */
export const InvoiceFilters = ({ invoices, view }: { invoices: readonly Invoice[]; view: ReturnType<typeof useInvoiceFilter> }) => {
  const { filter, setStatus, setYear, setSearch } = view
  const years = [...new Set([...invoiceYears(invoices), ...(filter.year === '' ? [] : [filter.year])])]
  return (
    <FilterPanel
      activeCount={activeFilterCount(filter)}
      search={
        <TextField
          label="Search"
          type="search"
          placeholder="Number or amount"
          autoComplete="off"
          value={filter.search}
          onChange={setSearch}
        />
      }
    >
      <Select
        label="Year"
        options={[{ id: ALL_YEARS, label: 'All years' }, ...years.map((year) => ({ id: year, label: year }))]}
        value={filter.year === '' ? ALL_YEARS : filter.year}
        onChange={(id) => setYear(id === ALL_YEARS ? '' : id)}
      />
      <Chips
        label="Status"
        options={statusCounts(invoices, filter).map(({ status, count }) => ({
          id: status,
          label: STATUS_LABELS[status],
          count: formatNumber(count, 0),
        }))}
        value={filter.status}
        onChange={(id) => setStatus(STATUS_FILTERS.find((status) => status === id) ?? 'all')}
      />
    </FilterPanel>
  )
}
