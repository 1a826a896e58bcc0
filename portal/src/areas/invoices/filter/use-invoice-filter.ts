import { useSearchParams } from 'react-router'
import { useTypedParam, withParam } from '../../../shell/navigation/address-params.ts'
import { type InvoiceFilter, parseInvoiceFilter, type StatusFilter } from './invoice-filter.ts'

interface InvoiceFilterView {
  readonly filter: InvoiceFilter
  readonly setStatus: (status: StatusFilter) => void
  readonly setYear: (year: string) => void
  readonly setSearch: (search: string) => void
  readonly clear: () => void
}

/** The filter of the list, kept in the address: `/invoices?status=unpaid&year=2026&search=1206.15` (EASE-05). */
export const useInvoiceFilter = (): InvoiceFilterView => {
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useTypedParam('search')
  return {
    filter: { ...parseInvoiceFilter(params), search },
    setStatus: (status) => setParams(withParam('status', status === 'all' ? '' : status)),
    setYear: (year) => setParams(withParam('year', year)),
    setSearch,
    clear: () => {
      setSearch('')
      setParams(withParam('status', '', withParam('year', '', withParam('search', ''))))
    },
  }
}
