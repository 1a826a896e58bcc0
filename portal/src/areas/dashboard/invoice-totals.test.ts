import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { expect, test } from 'vitest'
import { invoiceTotals, withoutDuplicates } from './invoice-totals.ts'

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
  currencySymbol: '$',
  ...changes,
})

test('[DASH-04] an invoice that comes twice, by id or by number, stands once and in its first place', () => {
  const list = [invoice(3), invoice(2), invoice(3), invoice(7, { number: 'INV-2' }), invoice(1)]
  expect(withoutDuplicates(list).map(({ id }) => id)).toEqual([3, 2, 1])
})

test('[DASH-04] the summary counts invoices and overdue ones, and sums what is due to the cent', () => {
  const list = [invoice(1, { amountDue: 0.1 }), invoice(2, { amountDue: 0.2, invoiceStatus: INVOICE_STATUS.overdue }), invoice(3)]
  expect(invoiceTotals(list)).toEqual({ count: 3, overdue: 1, totalDue: 0.3 })
})
