import { expect, test } from 'vitest'
import { canSubmit, combineFieldStates, EMPTY_FIELD, toFieldState } from './field-state.ts'

const DONE = { complete: true, error: undefined }

test('[PM-08] a form is sent only when its card is complete and the widget reports no error', () => {
  expect([EMPTY_FIELD, DONE, { complete: true, error: 'No.' }, { complete: false, error: 'No.' }].map(canSubmit)).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('[PM-08] separate number, expiry and code count as one card: complete when all are, wrong as the first wrong one', () => {
  expect(combineFieldStates([DONE, DONE, DONE])).toEqual(DONE)
  expect(combineFieldStates([DONE, EMPTY_FIELD, DONE])).toEqual(EMPTY_FIELD)
  expect(combineFieldStates([DONE, { complete: false, error: 'Expired.' }, { complete: false, error: 'Too short.' }])).toEqual({
    complete: false,
    error: 'Expired.',
  })
})

test("[PM-08] an error is shown in the company's words", () => {
  expect(toFieldState({ complete: false, error: { message: 'Your card number is invalid.' } }).error).toBe('Your card number is invalid.')
  expect(toFieldState({ complete: true })).toEqual(DONE)
})
