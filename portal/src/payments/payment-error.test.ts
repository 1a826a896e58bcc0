import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { ERRORS, type ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import { isDefiniteFailure, isPossiblyStale, paymentErrorText } from './payment-error.ts'

test("[SP-02][BP-04] a rejected payment has the server's user message", () => {
  const declined = new ApiError(400, 'card_declined', { userMessage: 'Your card has insufficient funds.' })
  expect(paymentErrorText(declined)).toBe('Your card has insufficient funds.')
  expect(paymentErrorText(new ApiError(409, 'This invoice is already being paid.'))).toBe('This invoice is already being paid.')
  expect(paymentErrorText(new ApiError(500, 'Something broke (ref 12).'))).toBe('Something broke (ref 12).')
})

test('[BP-04] without a message from the server it is: Oops, something went wrong', () => {
  expect(paymentErrorText(new ApiError(0, 'The server could not be reached.'))).toBe('Oops, something went wrong')
  expect(paymentErrorText(new ApiError(500, ' '))).toBe('Oops, something went wrong')
})

test('[PAY-01] only a 4xx response ends an attempt; no response and 5xx do not', () => {
  expect([400, 402, 404, 409, 422, 429].map((status) => isDefiniteFailure(new ApiError(status, 'no')))).toEqual(Array(6).fill(true))
  expect([0, 500, 502, 503, 504].map((status) => isDefiniteFailure(new ApiError(status, 'no')))).toEqual(Array(5).fill(false))
  expect(isDefiniteFailure(new Error('no'))).toBe(false)
})

test('[SP-05] the payment may have changed after no response, a 5xx and a conflict; a decline leaves the form as it is', () => {
  expect([0, 500, 503].map((status) => isPossiblyStale(new ApiError(status, 'no')))).toEqual([true, true, true])
  const isStaleAfter = (code: ErrorCode) => isPossiblyStale(new ApiError(ERRORS[code].status, 'no', { code }))
  expect((['payment_in_progress', 'already_paid', 'amount_changed', 'payment_conflict'] as const).map(isStaleAfter)).toEqual(
    Array(4).fill(true),
  )
  expect((['invalid_input', 'payments_unavailable', 'not_found', 'rate_limited', 'method_not_ready'] as const).map(isStaleAfter)).toEqual(
    Array(5).fill(false),
  )
})
