import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { adjustmentsText, amountsText, dueText, latestText, limitText } from './due-texts.ts'
import type { Due } from './dues.ts'

beforeEach(() => vi.stubGlobal('navigator', { languages: ['en-GB'] }))
afterEach(() => void vi.unstubAllGlobals())

const NOUNS = { singular: 'invoice', plural: 'invoices' }
const OPEN = { dateDue: '2026-12-05', invoiceStatus: INVOICE_STATUS.open } as Invoice
const OVERDUE = { dateDue: '2026-11-14', invoiceStatus: INVOICE_STATUS.overdue } as Invoice
const due = (invoices: Invoice[], unpayableCount = 0): Due => ({
  symbol: '$',
  amount: 1,
  invoices,
  payableIds: [],
  payableAmount: 0,
  unpayableCount,
})

test('[EASE-01] it says how many invoices are due, and since when or on which day the first is', () => {
  expect([[OVERDUE, OPEN], [OPEN, OPEN], [OVERDUE], [OPEN]].map((invoices) => dueText(due(invoices), NOUNS))).toEqual([
    '2 invoices, the oldest due since 14 Nov 2026',
    '2 invoices, the first due on 5 Dec 2026',
    '1 invoice, due since 14 Nov 2026',
    '1 invoice, due on 5 Dec 2026',
  ])
  expect(dueText(due([OVERDUE, OPEN]), { singular: 'Rechnung', plural: 'Rechnungen' })).toBe(
    '2 Rechnungen, the oldest due since 14 Nov 2026',
  )
})

test('[EASE-01] more invoices than one payment takes are told in words', () => {
  expect(limitText(due([OPEN]), NOUNS)).toBe('')
  expect(limitText(due([OPEN], 1_234), NOUNS)).toBe('One payment takes 1,000 invoices. The oldest are paid first, and 1,234 stay due.')
})

test('[EASE-01] where nothing is due it names the latest invoice, and amounts of several currencies stand beside each other', () => {
  const latest = { number: 'INV-7', dateInvoice: '2026-11-01', amount: 1_234_567.8, currencySymbol: 'A$' } as Invoice
  expect(latestText(latest, NOUNS)).toBe('The latest invoice, INV-7 of 1 Nov 2026, came to A$1,234,567.80')
  expect(latestText({ ...latest, number: 'CN-8', amount: -20 }, NOUNS)).toBe('The latest credit note, CN-8 of 1 Nov 2026, came to A$20.00')
  const amounts = [
    { symbol: 'A$', amount: 91.74 },
    { symbol: 'USD', amount: 5 },
  ]
  expect(amountsText(amounts)).toBe('A$91.74 and USD\u00A05.00')
})

test('[EASE-01] what paying all adds to the invoices of its currency is told with its reason, so that both sums can be compared', () => {
  const late = { description: 'Late payment fee, August', amount: 12.5, currency: 'USD', currencySymbol: '$' }
  const move = { ...late, description: 'Moving', amount: 7.25 }
  const euros = { ...late, currency: 'EUR', currencySymbol: 'EUR' }
  const group = { ...due([OPEN]), payableAmount: 974.82 }
  expect(adjustmentsText(group, [late, euros], 'Pay all due')).toBe('Pay all due adds $12.50 (Late payment fee, August): together $987.32')
  const charged = { ...group, invoices: [{ ...OPEN, fee: 1 }] }
  expect(adjustmentsText(charged, [late, move], 'Pay all due in $')).toBe(
    'Pay all due in $ adds $19.75 (Late payment fee, August; Moving): together $994.57, before payment fees',
  )
  expect(adjustmentsText(group, [euros], 'Pay all due')).toBe('')
})
