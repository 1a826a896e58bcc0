import { expect, test } from 'vitest'
import { ShownError } from '../../../../api/api-error.ts'
import { assertAttached } from './attach-answer.ts'

test('[PM-100] bpoint: what is attached is no error', () => {
  expect(() => assertAttached('success', {})).not.toThrow()
  expect(() => assertAttached('success', null)).not.toThrow()
})

const NOT_SENT = 'Your payment method could not be sent. Please try again.'

test.each([
  [{ message: 'One or more', details: [{ message: 'Card number is invalid' }, { message: 'CVN is invalid' }] }, 'Card number is invalid'],
  [{ message: 'One or more fields are invalid', details: [] }, 'One or more fields are invalid'],
  [{ message: 'One or more fields are invalid', details: [{ message: '' }] }, 'One or more fields are invalid'],
  [{ message: 'Authkey not found' }, 'Authkey not found'],
  [{ message: 5, details: 'none' }, NOT_SENT],
  [{ details: [null] }, NOT_SENT],
  [null, NOT_SENT],
  [undefined, NOT_SENT],
])('[PM-06] bpoint: the first detail message is shown, else the message: %j', (data, text) => {
  expect(() => assertAttached('error', data)).toThrow(new ShownError(text))
})
