import { expect, test } from 'vitest'
import { payStatus } from './pay-status.ts'

const OPEN_INVOICE = {
  invoiceAmount: 12.5,
  invoiceStatus: 1,
  isCredited: false,
  paymentType: 1,
  isFrame: false,
  apiStatus: true,
  paymentStatus: 1,
  payment: null,
}
const text = (changes: Partial<typeof OPEN_INVOICE>, wasFormShown = false) => payStatus({ ...OPEN_INVOICE, ...changes }, wasFormShown)?.text

test('[SP-01] an open or overdue invoice has its form, also after a payment that failed', () => {
  expect([{}, { invoiceStatus: 5 }, { paymentStatus: 4 }].map((changes) => text(changes))).toEqual([undefined, undefined, undefined])
})

test.each([
  [{ isCredited: true }, 'The invoice has been credited. No further payments required.'],
  [{ isCredited: true, invoiceStatus: 9, invoiceAmount: -20 }, 'This is a credit note. There is nothing to pay.'],
  [{ invoiceStatus: 9 }, 'The invoice has been credited. No further payments required.'],
  [{ invoiceStatus: 11, invoiceAmount: 0 }, 'The invoice has already been paid. No further payments required.'],
  [{ invoiceAmount: 0 }, 'No payment is required.'],
  [{ apiStatus: false }, 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support'],
  [{ paymentStatus: 2 }, 'We are confirming your payment. Please do not pay again.'],
  [{ paymentStatus: 2, invoiceStatus: 7 }, 'We are confirming your payment. Please do not pay again.'],
  [{ invoiceStatus: 7 }, 'A payment of this invoice is being collected by direct debit. No further payments required.'],
])('[SP-01][SP-02] %j hides the form and says: %s', (changes, expected) => {
  expect(text(changes)).toBe(expected)
})

test('[SP-04] an open form says that the invoice was paid elsewhere', () => {
  expect(text({ invoiceStatus: 11, invoiceAmount: 0 }, true)).toBe('This invoice has already been paid')
})

test('[SP-06] for payment type 0 the payment page is not available, whatever the invoice', () => {
  expect(text({ paymentType: 0, apiStatus: false })).toBe('Payment page not available')
  expect(text({ paymentType: 0, invoiceStatus: 11 })).toBe('Payment page not available')
})

test('[SP-04] only a payment that is being confirmed is asked about again', () => {
  expect(payStatus({ ...OPEN_INVOICE, paymentStatus: 2 })?.isConfirming).toBe(true)
  expect(payStatus({ ...OPEN_INVOICE, invoiceStatus: 11 })?.isConfirming).toBeUndefined()
})
