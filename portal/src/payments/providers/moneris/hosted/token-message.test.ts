import { expect, test } from 'vitest'
import { ShownError } from '../../../../api/api-error.ts'
import { readToken } from './token-message.ts'

const message = (responseCode: unknown, dataKey: unknown = null) =>
  JSON.stringify({ responseCode, dataKey, errorMessage: null, bin: '424242' })

test.each([['001'], [['001']], [['001', '001', '001']]])('[PM-04] [PM-50] moneris: the code %j brings the token', (code) => {
  expect(readToken(message(code, 'ot-abc'))).toBe('ot-abc')
})

test.each([
  [message(['943'], null), 'Your card number is invalid.'],
  [
    message(['943', '944', '945']),
    "Your card number is invalid. Your card's expiry date is invalid. Your card's security code is invalid.",
  ],
  [message('940'), "The payment gateway isn't configured properly. Please contact support if the issue persists."],
  [message(['941']), 'Your card could not be read. Please try again.'],
  [message(['001', '944'], 'ot-abc'), "Your card's expiry date is invalid."],
  [message([], 'ot-abc'), 'Your card could not be read. Please try again.'],
  [message(['001'], 'WBtBt9oUcBbVsCoeMVSnFdUb4'), 'Your card could not be read. Please try again.'],
  ['<html>', 'Your card could not be read. Please try again.'],
  [null, 'Your card could not be read. Please try again.'],
])('[PM-06] [PM-50] moneris: %s is no token, and says why', (data, text) => {
  expect(() => readToken(data)).toThrow(new ShownError(text))
})
