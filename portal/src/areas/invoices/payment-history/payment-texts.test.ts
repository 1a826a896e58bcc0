import { expect, test } from 'vitest'
import { formatLocalTime } from '../../../format/format.ts'
import { amountNotes, noPaymentsText, outcomeNote } from './payment-texts.ts'

const ENTRY = { amount: 110, fee: 0, total: 110, cameBack: 0, overpaid: 0, invoiceCount: 1, outcome: 'paid', currencySymbol: '$' } as const

const KNOWN = { isUnderReview: false, reference: '9F3A-0C21', unknownOutcome: null }

test('[PAY-01] of a payment of one invoice without a fee there is nothing to explain', () => {
  expect(amountNotes(ENTRY, 'Invoices')).toEqual([])
})

test('[PAY-01] the part of this invoice, the fee and what came back are named', () => {
  const entry = { ...ENTRY, total: 224.8, fee: 4.8, invoiceCount: 2, cameBack: 40, outcome: 'part-refunded' } as const
  expect(amountNotes(entry, 'Rechnungen')).toEqual(['$110.00 of a payment for 2 Rechnungen', 'includes a fee of $4.80', '$40.00 refunded'])
  expect(amountNotes({ ...ENTRY, cameBack: 110, outcome: 'returned' }, 'Invoices')).toEqual(['$110.00 returned'])
  expect(amountNotes({ ...ENTRY, overpaid: 50 }, 'Invoices')).toEqual(['$50.00 more than was due: credit on your account'])
})

test('[EASE-03] a debit on its way says when its money is expected', () => {
  expect(outcomeNote({ ...KNOWN, outcome: 'processing', reason: null, expectedOn: '2026-11-27' })).toMatch(
    /do not pay again\. We expect the money on .*27/,
  )
})

test('[PAY-01] what is not over warns against paying again; what failed says why', () => {
  expect(outcomeNote({ ...KNOWN, outcome: 'processing', reason: null, expectedOn: null })).toMatch(/do not pay again/)
  expect(outcomeNote({ ...KNOWN, outcome: 'checking', reason: null, expectedOn: null })).toMatch(/do not pay again/)
  expect(outcomeNote({ ...KNOWN, outcome: 'declined', reason: 'Your card was declined.', expectedOn: null })).toBe(
    'Your card was declined.',
  )
  expect(outcomeNote({ ...KNOWN, outcome: 'paid', reason: null, expectedOn: null })).toBeNull()
  const endsBy = '2026-11-26T22:15:00.000Z'
  expect(outcomeNote({ ...KNOWN, unknownOutcome: { endsBy }, outcome: 'checking', reason: null, expectedOn: null })).toContain(
    `you can pay again from ${formatLocalTime(endsBy)} at the latest`,
  )
  const review = outcomeNote({ ...KNOWN, isUnderReview: true, outcome: 'checking', reason: null, expectedOn: null })
  expect(review).toMatch(/do not pay again\. If you have a question, contact support and name the reference 9F3A-0C21\.$/)
})

test('[EASE-03] an invoice whose debit is on its way says so, even where no payment through the portal is known', () => {
  const invoice = { paid: false, invoiceStatus: 1, amountDue: 91.74, currencySymbol: 'A$' }
  expect(noPaymentsText(invoice)).toBe('There are no payments yet')
  expect(noPaymentsText({ ...invoice, invoiceStatus: 7 })).toBe('A$91.74 is on its way by bank debit. There is nothing to do.')
  expect(noPaymentsText({ ...invoice, invoiceStatus: 11, paid: true })).toBe('This invoice was not paid through the portal')
})
