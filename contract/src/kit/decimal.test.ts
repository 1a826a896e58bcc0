import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  divideRounded,
  EXACT_DIGITS,
  exactToText,
  exactToUnits,
  roundToUnits,
  sumOfNumbers,
  toExact,
  toShortText,
  unitsToText,
} from './decimal.ts'

const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const digits = fc.integer({ min: 0, max: EXACT_DIGITS })
const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

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
      const plain = absolute(millionths).toString().padStart(7, '0')
      const units = roundToUnits(`${sign}${plain.slice(0, -6)}.${plain.slice(-6)}`, digits)
      const unit = 10n ** BigInt(6 - digits)
      expect(2n * absolute(units * unit - millionths)).toBeLessThanOrEqual(unit)
      expect(units === 0n || units < 0n === millionths < 0n).toBe(true)
    }),
    { seed: 23 },
  )
})

test.each(['', '1e3', '.5', '5.', '+1', '1,000', ' 1', 'NaN', '--1', '1.2.3'])('%j is no decimal number', (text) => {
  expect(() => roundToUnits(text, 2)).toThrow(RangeError)
})

test('units come back from their text as they went in, with as many digits as asked for', () => {
  fc.assert(
    fc.property(units, digits, (units, digits) => {
      const text = unitsToText(units, digits)
      expect(roundToUnits(text, digits)).toBe(units)
      expect(text.split('.')[1]?.length ?? 0).toBe(digits)
    }),
    { seed: 31 },
  )
})

test('a quotient is the nearest whole number, and the same on both sides of zero', () => {
  fc.assert(
    fc.property(units, fc.bigInt({ min: 1n, max: 10n ** 20n }), (numerator, denominator) => {
      const quotient = divideRounded(numerator, denominator)
      expect(2n * absolute(quotient * denominator - numerator)).toBeLessThanOrEqual(denominator)
      expect(divideRounded(-numerator, denominator)).toBe(-quotient)
    }),
    { seed: 32 },
  )
  expect([divideRounded(5n, 2n), divideRounded(-5n, 2n), divideRounded(7n, 3n)]).toEqual([3n, -3n, 2n])
})

test('a sum of decimals is exact where binary floating point is not', () => {
  expect(toShortText(toExact('0.1') + toExact('0.2'))).toBe('0.3')
  expect(toShortText(toExact('100000000000000000000') + toExact('0.000000000000000001'))).toBe('100000000000000000000.000000000000000001')
  expect(sumOfNumbers([0.1, 0.2, 1.005], 3)).toBe(1.305)
})

test('the shortest text says the same value, and nothing in it can be left out', () => {
  fc.assert(
    fc.property(units, (exact) => {
      const text = toShortText(exact)
      expect(toExact(text)).toBe(exact)
      expect(text).not.toMatch(/\.\d*0$|\.$/)
    }),
    { seed: 33 },
  )
  expect([0n, 100n * 10n ** 18n, -5n * 10n ** 17n].map(toShortText)).toEqual(['0', '100', '-0.5'])
})

test('an exact number is rounded to fewer digits as its text is', () => {
  fc.assert(
    fc.property(units, digits, (exact, digits) => {
      expect(exactToUnits(exact, digits)).toBe(roundToUnits(unitsToText(exact, EXACT_DIGITS), digits))
      expect(roundToUnits(exactToText(exact, digits), digits)).toBe(exactToUnits(exact, digits))
    }),
    { seed: 34 },
  )
  expect([exactToText(toExact('-0.004'), 2), exactToText(toExact('-0.005'), 2)]).toEqual(['0.00', '-0.01'])
})

test('numbers of up to three digits add up to the cent, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), { maxLength: 100 }), (thousandths) => {
      const numbers = thousandths.map((value) => value / 1_000)
      expect(sumOfNumbers(numbers, 3)).toBe(thousandths.reduce((sum, value) => sum + value, 0) / 1_000)
      expect(sumOfNumbers(numbers.toReversed(), 3)).toBe(sumOfNumbers(numbers, 3))
    }),
    { seed: 35 },
  )
})
