import { expect, test } from 'vitest'
import { ApiError, ShownError } from '../../api/api-error.ts'
import { formatLocalTime } from '../../format/format.ts'
import { failedText, hasServerAnswered, isDefiniteFailure, messageWithPayment, paymentErrorText } from './payment-error.ts'

test("[SP-02][BP-04] a rejected payment has the server's user message", () => {
  const declined = new ApiError(400, 'card_declined', { userMessage: 'Your card has insufficient funds.' })
  expect(paymentErrorText(declined)).toBe('Your card has insufficient funds.')
  expect(paymentErrorText(new ApiError(409, 'This invoice is already being paid.'))).toBe('This invoice is already being paid.')
  expect(paymentErrorText(new ApiError(500, 'Something broke (ref 12).'))).toBe('Something broke (ref 12).')
})

test('[BP-04] without a message from the server it is: Oops, something went wrong', () => {
  expect(paymentErrorText(new ApiError(0, 'The server could not be reached.'))).toBe('Oops, something went wrong')
  expect(paymentErrorText(new ApiError(500, ' '))).toBe('Oops, something went wrong')
  expect(paymentErrorText(new TypeError('AbortSignal.any is not a function'))).toBe('Oops, something went wrong')
  expect(paymentErrorText(new ShownError('Your card number is invalid.'))).toBe('Your card number is invalid.')
})

test('[PAY-01] only a 4xx response ends an attempt; no response and 5xx do not', () => {
  expect([400, 402, 404, 409, 422, 429].map((status) => isDefiniteFailure(new ApiError(status, 'no')))).toEqual(Array(6).fill(true))
  expect([0, 500, 502, 503, 504].map((status) => isDefiniteFailure(new ApiError(status, 'no')))).toEqual(Array(5).fill(false))
  expect(isDefiniteFailure(new Error('no'))).toBe(false)
})

test('[PAY-01] the server has answered with a refusal or an error of its own; a lost connection, a proxy and what nobody can read are no answer', () => {
  expect([400, 409, 500].map((status) => hasServerAnswered(new ApiError(status, 'no')))).toEqual(Array(3).fill(true))
  expect(hasServerAnswered(new ApiError(503, 'no', { code: 'payment_not_sent' }))).toBe(true)
  expect([0, 502, 503, 504].map((status) => hasServerAnswered(new ApiError(status, 'no')))).toEqual(Array(4).fill(false))
  expect(hasServerAnswered(new SyntaxError('Unexpected token <'))).toBe(false)
})

test.each([
  ['Your card was declined.', 'Your card was declined. Nothing was charged. Try another card.'],
  ['The payment was declined. Please use another card.', 'The payment was declined. Please use another card. Nothing was charged.'],
  ['The payment was cancelled. Nothing was charged.', 'The payment was cancelled. Nothing was charged.'],
  ['The payment was given back in full. Nothing was paid.', 'The payment was given back in full. Nothing was paid.'],
  ['The payment was returned by the bank.', 'The payment was returned by the bank.'],
  ['The bank returned the debit. Please use another account.', 'The bank returned the debit. Please use another account.'],
  ['We are confirming your payment. Please do not pay again.', 'We are confirming your payment. Please do not pay again.'],
])('[SP-02][BP-04] %s A failed payment says once what became of the money, and once what can be done', (reason, text) => {
  expect(failedText(reason, 'Try another card.')).toBe(text)
})

test('[PAY-01] where another payment is in the way the text says until when at the latest', () => {
  const endsBy = '2026-11-26T22:15:00.000Z'
  const payment = { reference: '9F3A-0C21', isUnderReview: false, unknownOutcome: { endsBy } }
  const busy = new ApiError(409, 'One of these invoices is being paid already.', { payment })
  const text = `One of these invoices is being paid already. If nothing was charged, you can pay again from ${formatLocalTime(endsBy)} at the latest.`
  expect([paymentErrorText(busy), messageWithPayment(busy)].map((one) => one.startsWith(text))).toEqual([true, true])
})
