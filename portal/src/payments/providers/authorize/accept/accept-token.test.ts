import { expect, test } from 'vitest'
import { ShownError } from '../../../../api/api-error.ts'
import { readAcceptToken } from './accept-token.ts'

const OK = { resultCode: 'Ok', message: [{ code: 'I_WC_01', text: 'Successful.' }] }
const PAIR = { dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT', dataValue: 'abc' }

test('[PM-20] authorize: the pair of Accept.js is one token', () => {
  expect(readAcceptToken({ messages: OK, opaqueData: PAIR })).toBe('COMMON.ACCEPT.INAPP.PAYMENT|abc')
})

const toFailure = (...codes: string[]) => ({ messages: { resultCode: 'Error', message: codes.map((code) => ({ code, text: 'Theirs.' })) } })

test.each([
  [toFailure('E_WC_05'), 'Your card number is invalid.'],
  [toFailure('E_WC_06', 'E_WC_07', 'E_WC_15'), "Your card's expiry date is invalid. Your card's security code is invalid."],
  [toFailure('E_WC_21'), "The payment gateway isn't configured properly. Please contact support if the issue persists."],
  [toFailure('E_WC_14'), 'Your card could not be read. Please try again.'],
  [{ ...toFailure('E_WC_14'), opaqueData: PAIR }, 'Your card could not be read. Please try again.'],
  [{ messages: OK }, 'Your card could not be read. Please try again.'],
  [{ messages: OK, opaqueData: { ...PAIR, dataValue: '' } }, 'Your card could not be read. Please try again.'],
  [{}, 'Your card could not be read. Please try again.'],
])('[PM-06] [PM-20] authorize: %j is no token, and says why', (response, text) => {
  expect(() => readAcceptToken(response)).toThrow(new ShownError(text))
})
