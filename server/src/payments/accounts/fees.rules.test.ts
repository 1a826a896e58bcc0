import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paymentFee, type ProviderFeeRule, isSameAmount } from './fees.rules.ts'

const rule = (percent: string, fixedMinor: number, line: ProviderFeeRule['line'] = 'CREDIT_CARD_FEE'): ProviderFeeRule => ({
  line,
  currency: 'AUD',
  percent,
  fixedMinor,
  stepMinor: 1,
})

test.each([
  [11_000, '2.9', 30, 349],
  [1, '0.5', 0, null],
  [100, '0.5', 0, 1],
  [99, '0.5', 0, null],
  [10_050, '1.25', 0, 126],
  [10_000, '0', 75, 75],
  [999_999_999_999, '2.9', 0, 29_000_000_000],
])('[BP-01] %i at %s %% and %i is %s', (amount, percent, fixed, fee) => {
  expect(paymentFee(amount, 'AUD', false, [rule(percent, fixed)])?.minor ?? null).toBe(fee)
})

test('[BP-01] a fee is of its own kind of payment and its own currency', () => {
  const rules = [rule('2', 0), rule('1', 0, 'DIRECT_DEBIT_FEE')]
  expect(paymentFee(10_000, 'AUD', true, rules)).toEqual({ line: 'DIRECT_DEBIT_FEE', minor: 100 })
  expect(paymentFee(10_000, 'USD', true, rules)).toBeNull()
})

test.each([
  [12_340, '2', 0, 250],
  [12_340, '0', 7, 10],
  [100, '2', 0, null],
])('[BP-01] where a provider charges in steps of 10, the fee of %i at %s %% and %i is %s', (amount, percent, fixed, fee) => {
  expect(paymentFee(amount, 'AUD', false, [{ ...rule(percent, fixed), stepMinor: 10 }])?.minor ?? null).toBe(fee)
})

test('[BP-01] a percentage is rounded half up, never by more than half a cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 1_000_000 }), (amount, tenThousandths) => {
      const percent = `${Math.floor(tenThousandths / 10_000)}.${String(tenThousandths % 10_000).padStart(4, '0')}`
      const fee = BigInt(paymentFee(amount, 'AUD', false, [rule(percent, 0)])?.minor ?? 0)
      const twiceOff = 2n * (fee * 1_000_000n - BigInt(amount) * BigInt(tenThousandths))
      expect(twiceOff > -1_000_000n && twiceOff <= 1_000_000n).toBe(true)
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['110.00', true],
  ['110', true],
  ['110.0', true],
  ['110.000', true],
  [110, true],
  ['110.001', false],
  ['11000', false],
  ['1.1e2', false],
  [' 110.00', false],
  ['110,00', false],
  ['1,110.00', false],
  ['-110.00', false],
  ['+110.00', false],
  ['', false],
  ['١١٠', false],
  ['NaN', false],
])('[SP-03] %s is 110.00 AUD: %s', (sent, same) => {
  expect(isSameAmount(sent, 11_000, 'AUD')).toBe(same)
})

test('[SP-03] currencies have digits of their own', () => {
  expect(isSameAmount('110', 110, 'JPY')).toBe(true)
  expect(isSameAmount('1.10', 110, 'JPY')).toBe(false)
  expect(isSameAmount('0.110', 110, 'KWD')).toBe(true)
})
