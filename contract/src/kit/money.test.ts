import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyDigits, toDecimalText, toJsonNumber, parseMoney, roundToUnits } from './money.ts'

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

test.each([
  ['0.005', 2, 1n],
  ['-0.005', 2, -1n],
  ['0.0049999999999999999999', 2, 0n],
  ['1.005', 2, 101n],
  ['2.5', 0, 3n],
  ['-2.5', 0, -3n],
  ['999.9995', 3, 1_000_000n],
  ['7', 3, 7_000n],
])('%s to %i digits is %s units: halves go away from zero', (text, digits, units) => {
  expect(roundToUnits(text, digits)).toBe(units)
})

test('rounding never moves an amount by more than half a unit, nor past zero', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 6 }), (millionths, digits) => {
      const sign = millionths < 0n ? '-' : ''
      const plain = (millionths < 0n ? -millionths : millionths).toString().padStart(7, '0')
      const units = roundToUnits(`${sign}${plain.slice(0, -6)}.${plain.slice(-6)}`, digits)
      const unit = 10n ** BigInt(6 - digits)
      const difference = units * unit - millionths
      expect(2n * (difference < 0n ? -difference : difference)).toBeLessThanOrEqual(unit)
      expect(units === 0n || units < 0n === millionths < 0n).toBe(true)
    }),
    { seed: 23 },
  )
})

test.each(['', '1e3', '.5', '5.', '+1', '1,000', ' 1', 'NaN', '--1', '1.2.3'])('%j is no decimal number', (text) => {
  expect(() => roundToUnits(text, 2)).toThrow(RangeError)
})
