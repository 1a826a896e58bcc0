import { expect, test } from 'vitest'
import { canSend, together, UNTOUCHED, widgetState } from './field-state.ts'

const DONE = { complete: true, error: undefined }

test('[PM-08] a form is sent only when its card is complete and the widget reports no error', () => {
  expect([UNTOUCHED, DONE, { complete: true, error: 'No.' }, { complete: false, error: 'No.' }].map(canSend)).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('[PM-08] separate number, expiry and code count as one card: complete when all are, wrong as the first wrong one', () => {
  expect(together([DONE, DONE, DONE])).toEqual(DONE)
  expect(together([DONE, UNTOUCHED, DONE])).toEqual(UNTOUCHED)
  expect(together([DONE, { complete: false, error: 'Expired.' }, { complete: false, error: 'Too short.' }])).toEqual({
    complete: false,
    error: 'Expired.',
  })
})

test("[PM-08] an error is shown in the company's words", () => {
  expect(widgetState({ complete: false, error: { message: 'Your card number is invalid.' } }).error).toBe('Your card number is invalid.')
  expect(widgetState({ complete: true })).toEqual(DONE)
})
