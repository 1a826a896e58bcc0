import { expect, test } from 'vitest'
import { canSubmit, combineFieldStates, EMPTY_FIELD, toFieldState } from './field-state.ts'

const DONE = { complete: true, error: undefined }

test('[PM-08] a form can be submitted only when its card is complete and without an error', () => {
  expect([EMPTY_FIELD, DONE, { complete: true, error: 'No.' }, { complete: false, error: 'No.' }].map(canSubmit)).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('[PM-08] separate number, expiry and code are one card: complete when all are, with the first error', () => {
  expect(combineFieldStates([DONE, DONE, DONE])).toEqual(DONE)
  expect(combineFieldStates([DONE, EMPTY_FIELD, DONE])).toEqual(EMPTY_FIELD)
  expect(combineFieldStates([DONE, { complete: false, error: 'Expired.' }, { complete: false, error: 'Too short.' }])).toEqual({
    complete: false,
    error: 'Expired.',
  })
})

test("[PM-08] an error has the provider's text", () => {
  expect(toFieldState({ complete: false, error: { message: 'Your card number is invalid.' } }).error).toBe('Your card number is invalid.')
  expect(toFieldState({ complete: true })).toEqual(DONE)
})
