import type { Invoice } from '@counterfoil/contract/invoices'
import { amountOwed, invoiceState, type InvoiceState } from '../../../payments/invoices/invoice-state.ts'
import { invoiceSearch } from './invoice-search.ts'

/** What the list can be filtered by; `unpaid` holds those that are overdue and in collection too. */
export const STATUS_FILTERS = ['all', 'unpaid', 'overdue', 'in-collection', 'paid', 'credited', 'credit-note'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

export interface InvoiceFilter {
  readonly status: StatusFilter
  /** The year of issue, such as "2026"; empty for all. */
  readonly year: string
  readonly search: string
}

export const STATUS_LABELS: Readonly<Record<StatusFilter, string>> = {
  all: 'All',
  unpaid: 'Unpaid',
  overdue: 'Overdue',
  'in-collection': 'Debit on its way',
  paid: 'Paid',
  credited: 'Credited',
  'credit-note': 'Credit note',
}

/** The status and the year in the page's query parameters; what makes no sense there filters nothing. */
export const parseInvoiceFilter = (params: URLSearchParams): Omit<InvoiceFilter, 'search'> => ({
  status: STATUS_FILTERS.find((status) => status === params.get('status')) ?? 'all',
  year: /^\d{4}$/.exec(params.get('year') ?? '')?.[0] ?? '',
})

/** The invoices that a filter leaves, in their order. */
export const filterInvoices = (invoices: readonly Invoice[], { status, year, search }: InvoiceFilter): readonly Invoice[] => {
  const isFound = invoiceSearch(search)
  return invoices.filter((invoice) => hasStatus(invoice, status) && (year === '' || yearOf(invoice) === year) && isFound(invoice))
}

/** How many of the filters by status and by year are set; the search does not count. */
export const activeFilterCount = ({ status, year }: Pick<InvoiceFilter, 'status' | 'year'>): number =>
  [status !== 'all', year !== ''].filter(Boolean).length

/**
 * The statuses to choose from, each with the number of invoices that the other filters leave: those that any invoice has, and the
 * chosen one.
 */
export const statusCounts = (invoices: readonly Invoice[], filter: InvoiceFilter): { status: StatusFilter; count: number }[] => {
  const found = filterInvoices(invoices, { ...filter, status: 'all' })
  return STATUS_FILTERS.filter((status) => status === filter.status || invoices.some((invoice) => hasStatus(invoice, status))).map(
    (status) => ({ status, count: found.filter((invoice) => hasStatus(invoice, status)).length }),
  )
}

/** The years in which invoices were issued, newest first. */
export const invoiceYears = (invoices: readonly Invoice[]): string[] => [...new Set(invoices.map(yearOf))].toSorted().toReversed()

/** The year of issue, such as "2026". */
const yearOf = ({ dateInvoice }: Invoice): string => dateInvoice.slice(0, 4)

const LABELS: Readonly<Partial<Record<StatusFilter, InvoiceState['label']>>> = {
  overdue: 'Overdue',
  'in-collection': 'Debit on its way',
  paid: 'Paid',
  credited: 'Credited',
  'credit-note': 'Credit note',
}

/** Whether the filter by status leaves the invoice; "unpaid" leaves overdue ones and those in collection too. */
const hasStatus = (invoice: Invoice, status: StatusFilter): boolean => {
  if (status === 'all') return true
  if (status === 'unpaid') return !invoice.paid && !invoice.isCredited && amountOwed(invoice) > 0
  return invoiceState(invoice).label === LABELS[status]
}
