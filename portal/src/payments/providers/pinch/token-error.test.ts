import { expect, test } from 'vitest'
import { tokenErrorText } from './token-error.ts'

test.each([
  [[{ errorMessage: 'Invalid publishable key: pk' }, { errorMessage: 'Second' }], 'Invalid publishable key: pk'],
  [{ errorMessages: [{ errorMessage: 'Not found' }], successful: false }, 'Not found'],
  [{ errors: [{ message: 'Card number is wrong', field: 'cardNumber' }] }, 'Card number is wrong'],
  [{ errors: ['Plain'] }, 'Plain'],
  [[{ errorMessage: ' ' }, { errorMessage: 'Second' }], 'Second'],
  [[], 'Oops, something went wrong'],
  [{}, 'Oops, something went wrong'],
  ['<html>', 'Oops, something went wrong'],
  [undefined, 'Oops, something went wrong'],
])('[PM-06] [PM-60] pinch: Pinch’s first error message of %j is shown', (body, text) => {
  expect(tokenErrorText(body)).toBe(text)
})
