import { expect, test } from 'vitest'
import { AskFailed } from '../api/api-error.ts'
import { isDefinite, isStale, payRefusal } from './payment-error.ts'

test("[SP-02][BP-04] a refused payment is told in the server's words for people", () => {
  const declined = new AskFailed(400, 'card_declined', { userMessage: 'Your card has insufficient funds.' })
  expect(payRefusal(declined)).toBe('Your card has insufficient funds.')
  expect(payRefusal(new AskFailed(409, 'This invoice is already being paid.'))).toBe('This invoice is already being paid.')
  expect(payRefusal(new AskFailed(500, 'Something broke (ref 12).'))).toBe('Something broke (ref 12).')
})

test('[BP-04] without the words of a server it is: Oops, something went wrong', () => {
  expect(payRefusal(new AskFailed(0, 'The server could not be reached.'))).toBe('Oops, something went wrong')
  expect(payRefusal(new AskFailed(500, ' '))).toBe('Oops, something went wrong')
})

test('[PAY-01] only an answer of the server that says no ends an attempt; silence and faults do not', () => {
  expect([400, 402, 404, 409, 422, 429].map((status) => isDefinite(new AskFailed(status, 'no')))).toEqual(Array(6).fill(true))
  expect([0, 500, 502, 503, 504].map((status) => isDefinite(new AskFailed(status, 'no')))).toEqual(Array(5).fill(false))
  expect(isDefinite(new Error('no'))).toBe(false)
})

test('[SP-05] the server is asked anew after silence, after a fault, and when somebody else was quicker; a decline leaves the form as it is', () => {
  expect([0, 500, 503, 409].map((status) => isStale(new AskFailed(status, 'no')))).toEqual([true, true, true, true])
  expect([400, 403, 404, 429].map((status) => isStale(new AskFailed(status, 'no')))).toEqual([false, false, false, false])
})
