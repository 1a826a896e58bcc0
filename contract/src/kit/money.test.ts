import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyDigits, toDecimalText, toJsonNumber, parseMoney } from './money.ts'

const currency = fc.constantFrom('AUD', 'USD', 'EUR', 'JPY', 'KWD', 'XXX')
/** Minor units of at most 15 digits, in which a JSON number is exact. */
const minor = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n })

test('amounts are written with the digits of their currency', () => {
  expect(toDecimalText({ minor: -5n, currency: 'USD' })).toBe('-0.05')
  expect(toDecimalText({ minor: 0n, currency: 'EUR' })).toBe('0.00')
  expect(toDecimalText({ minor: 1_234n, currency: 'JPY' })).toBe('1234')
  expect(toDecimalText({ minor: 1_234n, currency: 'KWD' })).toBe('1.234')
  expect(toDecimalText({ minor: 12_345_678_901_234_567_890n, currency: 'USD' })).toBe('123456789012345678.90')
})

test('an amount comes back from its text as it went in, however large', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), currency, (minor, currency) => {
      expect(parseMoney(toDecimalText({ minor, currency }), currency)).toEqual({ minor, currency })
    }),
    { seed: 21 },
  )
})

test('the number at the edge says the very same amount up to 15 digits', () => {
  fc.assert(
    fc.property(minor, currency, (minor, currency) => {
      const number = toJsonNumber({ minor, currency })
      expect(number.toFixed(currencyDigits(currency))).toBe(toDecimalText({ minor, currency }))
      expect(BigInt(Math.round(number * 10 ** currencyDigits(currency)))).toBe(minor)
    }),
    { seed: 22 },
  )
})
