import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { expect, test } from 'vitest'
import { duesOf, withoutDuplicates } from './dues.ts'

const invoice = (id: number, changes: Partial<Invoice> = {}): Invoice => ({
  id,
  number: `INV-${id}`,
  amount: 10,
  amountDue: 0,
  dateInvoice: '2026-11-01',
  dateDue: '2026-11-14',
  dateGenerated: '2026-11-01T00:00:00Z',
  paid: false,
  fee: 0,
  canPay: false,
  payToken: null,
  selected: false,
  invoiceStatus: INVOICE_STATUS.open,
  isCredited: false,
  periodStart: null,
  periodEnd: null,
  periodLabel: '',
  currency: 'USD',
  currencySymbol: '$',
  ...changes,
})

test('[DASH-04] an invoice that comes twice, by id or by number, stands once and in its first place', () => {
  const list = [invoice(3), invoice(2), invoice(3), invoice(7, { number: 'INV-2' }), invoice(1)]
  expect(withoutDuplicates(list).map(({ id }) => id)).toEqual([3, 2, 1])
})

/** An invoice that asks for an amount. */
const open = (id: number, amountDue: number, changes: Partial<Invoice> = {}): Invoice =>
  invoice(id, { amountDue, canPay: true, ...changes })
const overdue = (id: number, amountDue: number, dateDue: string, changes: Partial<Invoice> = {}): Invoice =>
  open(id, amountDue, { invoiceStatus: INVOICE_STATUS.overdue, dateDue, ...changes })
const paidInvoice = (id: number): Invoice => invoice(id, { paid: true, invoiceStatus: INVOICE_STATUS.paid })

test('[DASH-04][EASE-01] the summary counts invoices and overdue ones, and sums what is due to the cent, what is due first at the front', () => {
  const dues = duesOf([open(4, 0.1, { dateDue: '2026-12-05' }), overdue(3, 0.2, '2026-10-15'), open(2, 1), paidInvoice(1)], true)
  expect(dues).toMatchObject({ invoiceCount: 4, overdueCount: 1, overdue: [{ symbol: '$', amount: 0.2 }], inCollection: [], beingPaid: [] })
  expect(dues.due).toMatchObject([{ symbol: '$', amount: 1.3, payableIds: [3, 2, 4], unpayableCount: 0 }])
})

test('[EASE-01] nothing is due where all is paid, credited, without an amount or in collection', () => {
  const none = [
    paidInvoice(1),
    invoice(2, { invoiceStatus: INVOICE_STATUS.credited, isCredited: true, amount: -5, amountDue: -5 }),
    open(3, 0),
    invoice(4, { invoiceStatus: INVOICE_STATUS.inCollection, amountDue: 91.74 }),
  ]
  expect(duesOf(none, true)).toMatchObject({
    due: [],
    overdueCount: 0,
    inCollection: [{ symbol: '$', amount: 91.74 }],
    credit: [{ symbol: '$', amount: 5 }],
  })
  expect(duesOf([], true)).toMatchObject({ invoiceCount: 0, due: [], inCollection: [], beingPaid: [] })
})

test('[EASE-01] credit stands beside what is due, in each currency, and is not taken off it', () => {
  const credited = { invoiceStatus: INVOICE_STATUS.credited, isCredited: true }
  const list = [
    open(1, 110),
    invoice(2, { ...credited, amount: -20, amountDue: -20 }),
    invoice(3, { ...credited, amount: -7.5, amountDue: -2.5 }),
    invoice(4, { ...credited, amount: -9, amountDue: -9, currencySymbol: 'EUR' }),
    invoice(5, { ...credited, amount: 40 }),
  ]
  const { due, credit } = duesOf(list, true)
  expect(due.map(({ symbol, amount }) => [symbol, amount])).toEqual([['$', 110]])
  expect(credit).toEqual([
    { symbol: '$', amount: 22.5 },
    { symbol: 'EUR', amount: 9 },
  ])
})

test('[EASE-01] amounts of several currencies stand apart, each with its own invoices to pay', () => {
  const list = [open(1, 10), overdue(2, 7, '2026-11-01', { currencySymbol: 'USD' }), open(3, 5, { currencySymbol: 'USD' })]
  const { due } = duesOf(list, true)
  expect(due.map(({ symbol, amount, payableIds }) => [symbol, amount, payableIds])).toEqual([
    ['USD', 12, [2, 3]],
    ['$', 10, [1]],
  ])
})

test('[EASE-01] an invoice that a payment is under way for is no longer due, and stands apart', () => {
  const dues = duesOf([open(1, 10), overdue(2, 20, '2026-10-01', { canPay: false })], true)
  expect(dues).toMatchObject({ due: [{ amount: 10, payableIds: [1] }], beingPaid: [{ symbol: '$', amount: 20 }], overdueCount: 0 })
})

test('[EASE-01] where nobody can pay in the portal all that is open is due, and nothing can be paid', () => {
  const dues = duesOf([open(1, 10, { canPay: false })], false)
  expect(dues).toMatchObject({ due: [{ amount: 10, payableIds: [], unpayableCount: 0 }], beingPaid: [] })
})

test('[EASE-01] one payment takes the 1,000 invoices that are due first, and the rest is counted', () => {
  const list = Array.from({ length: 1_002 }, (_, index) => open(index + 1, 1, { dateDue: `2026-11-${index < 2 ? '30' : '14'}` }))
  const [due] = duesOf(list, true).due
  expect([due?.payableIds.length, due?.unpayableCount, due?.amount]).toEqual([1_000, 2, 1_002])
  expect(due?.payableIds).not.toContain(1)
})
