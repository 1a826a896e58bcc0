import type { Invoice } from '@counterfoil/contract/invoices'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { activeFilterCount, filterInvoices, invoiceYears, parseInvoiceFilter, statusCounts } from './invoice-filter.ts'

beforeEach(() => void vi.stubGlobal('navigator', { languages: ['en-AU'] }))
afterEach(() => void vi.unstubAllGlobals())

const invoice = (number: string, invoiceStatus: number, amountDue: number, dateInvoice = '2026-11-01'): Invoice =>
  ({ number, invoiceStatus, amount: 10, amountDue, dateInvoice, paid: invoiceStatus === 11, isCredited: invoiceStatus === 9 }) as Invoice

const INVOICES = [
  invoice('open', 1, 10),
  invoice('nothing-due', 1, 0),
  invoice('overdue', 5, 10, '2025-12-31'),
  invoice('collection', 7, 10),
  invoice('credited', 9, 0, '2024-01-01'),
  invoice('credited-with-rest', 9, 5, '2024-01-01'),
  { ...invoice('note', 9, -10, '2024-01-01'), amount: -10 },
  invoice('paid', 11, 0),
  invoice('paid-with-rest', 11, 5, '2025-01-01'),
]
const ALL = { status: 'all', year: '', search: '' } as const
const numbers = (filter: Parameters<typeof filterInvoices>[1]): string[] => filterInvoices(INVOICES, filter).map(({ number }) => number)

test('[EASE-05] unpaid are those with something due that are neither paid nor credited, in whatever state', () => {
  expect(numbers({ ...ALL, status: 'unpaid' })).toEqual(['open', 'overdue', 'collection'])
  expect(numbers({ ...ALL, status: 'overdue' })).toEqual(['overdue'])
  expect(numbers({ ...ALL, status: 'in-collection' })).toEqual(['collection'])
  expect(numbers({ ...ALL, status: 'credited' })).toEqual(['credited', 'credited-with-rest'])
  expect(numbers({ ...ALL, status: 'credit-note' })).toEqual(['note'])
  expect(numbers({ ...ALL, status: 'paid' })).toEqual(['paid', 'paid-with-rest'])
})

test('[EASE-05] status, year and search hold together', () => {
  expect(numbers({ ...ALL, year: '2025' })).toEqual(['overdue', 'paid-with-rest'])
  expect(numbers({ status: 'paid', year: '2025', search: 'REST' })).toEqual(['paid-with-rest'])
  expect(numbers({ status: 'paid', year: '2024', search: '' })).toEqual([])
  expect(invoiceYears(INVOICES)).toEqual(['2026', '2025', '2024'])
})

test('[EASE-05] the statuses to choose from are those that exist and the chosen one, with the counts that the other filters leave', () => {
  expect(statusCounts(INVOICES, { ...ALL, year: '2025' })).toEqual([
    { status: 'all', count: 2 },
    { status: 'unpaid', count: 1 },
    { status: 'overdue', count: 1 },
    { status: 'in-collection', count: 0 },
    { status: 'paid', count: 1 },
    { status: 'credited', count: 0 },
    { status: 'credit-note', count: 0 },
  ])
  expect(statusCounts([invoice('paid', 11, 0)], { ...ALL, status: 'overdue' })).toEqual([
    { status: 'all', count: 1 },
    { status: 'overdue', count: 0 },
    { status: 'paid', count: 1 },
  ])
})

test.each([
  ['status=unpaid&year=2026', { status: 'unpaid', year: '2026' }, 2],
  ['status=in-collection', { status: 'in-collection', year: '' }, 1],
  ['status=everything&year=26', { status: 'all', year: '' }, 0],
  ['', { status: 'all', year: '' }, 0],
])('[EASE-05] the address "%s" is read', (address, filter, count) => {
  expect(parseInvoiceFilter(new URLSearchParams(address))).toEqual(filter)
  expect(activeFilterCount(parseInvoiceFilter(new URLSearchParams(address)))).toBe(count)
})

test('[EASE-05] five thousand invoices are searched in an instant', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => ({ ...invoice(`INV-${at}`, 11, 0), amount: at + 0.25 }))
  const startedAt = performance.now()
  expect(filterInvoices(many, { status: 'paid', year: '2026', search: '4321.25' })).toHaveLength(1)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
