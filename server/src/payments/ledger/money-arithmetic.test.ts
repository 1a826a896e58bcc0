import { currencyDigits, toDecimalText, toJsonNumber, parseMoney } from '@counterfoil/contract/kit/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainDecimal } from '../../imports/plain-decimal.rules.ts'
import { runCount } from '../../../test/payments/fault-injection/fault-context.ts'
import { paymentFee, isSameAmount } from '../accounts/fees.rules.ts'
import { reinstate, type Allocation, allocateReturn } from './allocation.rules.ts'

const RUNS = runCount(2_000)
const PATIENCE_MS = 3_600_000
const CURRENCIES = ['AUD', 'USD', 'EUR', 'JPY', 'KWD']

const currency = fc.constantFrom(...CURRENCIES)
/** One payment; sums of several stay exact. */
const minor = fc.integer({ min: 1, max: 10 ** 12 })
const sum = (amounts: readonly number[]): bigint => amounts.reduce((all, one) => all + BigInt(one), 0n)

/** The allocations of a bulk payment: invoices, adjustments, and perhaps a fee. */
const allocations = fc
  .tuple(fc.array(minor, { minLength: 1, maxLength: 40 }), fc.array(minor, { maxLength: 5 }), fc.integer({ min: 0, max: 100_000 }))
  .map(([invoices, adjustments, fee]): Allocation[] => [
    ...invoices.map((amountMinor, at) => ({ invoiceId: at + 1, adjustmentId: null, amountMinor })),
    ...adjustments.map((amountMinor, at) => ({ invoiceId: null, adjustmentId: at + 1, amountMinor })),
    ...(fee > 0 ? [{ invoiceId: null, adjustmentId: null, amountMinor: fee }] : []),
  ])

/** The allocations with further amounts added or, with −1, taken away. */
const addEntries = (booked: readonly Allocation[], entries: readonly Allocation[], sign: number): Allocation[] =>
  booked.map((line) => ({
    ...line,
    amountMinor:
      line.amountMinor +
      entries
        .filter((entry) => entry.invoiceId === line.invoiceId && entry.adjustmentId === line.adjustmentId)
        .reduce((all, entry) => all + sign * entry.amountMinor, 0),
  }))

test(
  '[PAY-01] what comes back of a bulk payment is taken from its allocations to the last cent, never beyond what a line has',
  () => {
    fc.assert(
      fc.property(allocations, fc.double({ min: 0, max: 1.2, noNaN: true }), (booked, part) => {
        const all = sum(booked.map(({ amountMinor }) => amountMinor))
        const back = Math.floor(Number(all) * part)
        const entries = allocateReturn(booked, back, () => 0)
        const left = addEntries(booked, entries, -1)
        expect(sum(entries.map(({ amountMinor }) => amountMinor))).toBe(BigInt(back) > all ? all : BigInt(back))
        for (const { amountMinor } of left) expect(amountMinor).toBeGreaterThanOrEqual(0)
        // Taken from the end: nothing before a partly reduced allocation is touched.
        const touched = left.findIndex(({ amountMinor }, at) => amountMinor !== booked[at]?.amountMinor)
        if (touched >= 0) for (const { amountMinor } of left.slice(touched + 1)) expect(amountMinor).toBe(0)
      }),
      { numRuns: RUNS },
    )
  },
  PATIENCE_MS,
)

test(
  '[PAY-01] refunds and returns in any parts, and what comes again: each line ends between nothing and what was asked',
  () => {
    const moves = fc.array(fc.tuple(fc.boolean(), minor), { maxLength: 12 })
    fc.assert(
      fc.property(allocations, moves, (asked, moves) => {
        const all = sum(asked.map(({ amountMinor }) => amountMinor))
        let [booked, held] = [asked, all]
        for (const [isBack, wanted] of moves) {
          const maxAmount = isBack ? held : all - held
          const amount = BigInt(wanted) > maxAmount ? maxAmount : BigInt(wanted)
          booked = addEntries(
            booked,
            isBack ? allocateReturn(booked, Number(amount), () => 0) : reinstate(asked, booked, Number(amount)),
            isBack ? -1 : 1,
          )
          held += isBack ? -amount : amount
          expect(sum(booked.map(({ amountMinor }) => amountMinor))).toBe(held)
          for (const [at, { amountMinor }] of booked.entries()) {
            expect(amountMinor).toBeGreaterThanOrEqual(0)
            expect(amountMinor).toBeLessThanOrEqual(asked[at]?.amountMinor ?? 0)
          }
        }
      }),
      { numRuns: RUNS },
    )
  },
  PATIENCE_MS,
)

test(
  '[BP-01] a fee is the percentage rounded half up and the fixed part, whatever the amount and the currency',
  () => {
    const percent = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(
        minor,
        currency,
        percent,
        fc.integer({ min: 0, max: 10_000 }),
        fc.nat({ max: 4 }),
        (amount, code, hundredths, fixed, cut) => {
          const tenThousandths = Math.floor(hundredths / 10 ** (4 - cut)) * 10 ** (4 - cut)
          const fraction = String(tenThousandths % 10_000)
            .padStart(4, '0')
            .slice(0, cut)
          const typed = `${Math.floor(tenThousandths / 10_000)}${fraction === '' ? '' : `.${fraction}`}`
          const rule = { line: 'CREDIT_CARD_FEE' as const, currency: code, percent: typed, fixedMinor: fixed, stepMinor: 1 }
          const [whole, rest] = [
            (BigInt(amount) * BigInt(tenThousandths)) / 1_000_000n,
            (BigInt(amount) * BigInt(tenThousandths)) % 1_000_000n,
          ]
          const expected = Number(whole + (rest >= 500_000n ? 1n : 0n)) + fixed
          expect(paymentFee(amount, code, false, [rule])?.minor ?? 0).toBe(expected)
          expect(paymentFee(amount, code, true, [rule])).toBeNull()
        },
      ),
      { numRuns: RUNS },
    )
  },
  PATIENCE_MS,
)

/** Ways to write an amount, and its minor units; null for what must be rejected. */
const WRITTEN: readonly ((amount: number, code: string) => readonly [text: string, says: number | null])[] = [
  (amount, code) => [toDecimalText({ minor: BigInt(amount), currency: code }), amount],
  (amount, code) => [`${toDecimalText({ minor: BigInt(amount), currency: code })}${currencyDigits(code) === 0 ? '.0' : '00'}`, amount],
  (amount, code) => [
    toDecimalText({ minor: BigInt(amount), currency: code }).replace(/\.?0+$/, (zeros) => (zeros.includes('.') ? '' : zeros)),
    amount,
  ],
  (amount, code) => [`${toDecimalText({ minor: BigInt(amount), currency: code })}${currencyDigits(code) === 0 ? '.5' : '5'}`, null],
  (amount, code) => [
    Number(toDecimalText({ minor: BigInt(amount), currency: code })).toLocaleString('en-US', { minimumFractionDigits: 4 }),
    null,
  ],
  (amount, code) => [Number(toDecimalText({ minor: BigInt(amount), currency: code })).toExponential(), null],
  (amount, code) => [toDecimalText({ minor: BigInt(-amount), currency: code }), null],
  (amount, code) => [`+${toDecimalText({ minor: BigInt(amount), currency: code })}`, null],
  (amount, code) => [` ${toDecimalText({ minor: BigInt(amount), currency: code })}`, null],
  (amount, code) => [
    toDecimalText({ minor: BigInt(amount), currency: code }).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? ''),
    null,
  ],
  (amount, code) => [
    toDecimalText({ minor: BigInt(amount), currency: code }).replaceAll(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)] ?? ''),
    null,
  ],
  (amount) => [`0x${amount.toString(16)}`, null],
]

/** Separators appear only in amounts with thousands; below that it is a plain number. */
const isGrouped = (text: string): boolean => text.includes(',')

test(
  '[SP-03] an amount is the one that is due only when it says so in plain digits',
  () => {
    fc.assert(
      fc.property(minor, currency, fc.constantFrom(...WRITTEN), fc.integer({ min: -3, max: 3 }), (amount, code, write, off) => {
        const [text, says] = write(amount, code)
        if (says === null && /^\d+\.\d+$/.test(text) && !isGrouped(text) && BigInt(parseMoney(text, code).minor) === BigInt(amount)) return
        expect(isSameAmount(text, amount, code), text).toBe(says === amount)
        if (off !== 0) expect(isSameAmount(text, amount + off, code), text).toBe(false)
      }),
      { numRuns: RUNS },
    )
  },
  PATIENCE_MS,
)

test.each([
  '',
  ' ',
  '-0',
  '-0.00',
  '1e3',
  '1E3',
  '1,234.50',
  '1.234,50',
  '12.30 ',
  '٣',
  '１２',
  '0x10',
  'NaN',
  'Infinity',
  '1_000',
  '.',
  '.5',
  '5.',
  '--1',
  '1.2.3',
  '$5',
])('[SP-03] %j is no amount', (text) => {
  for (const amount of [0, 1, 3, 5, 12, 50, 500, 1_000, 1_230, 123_450]) expect(isSameAmount(text, amount, 'AUD')).toBe(false)
  if (!text.startsWith('-0')) expect(() => parseMoney(text, 'AUD')).toThrow(RangeError)
})

test('[SP-03] "-0" is nothing, and is never taken for an amount that is due', () => {
  expect(parseMoney('-0', 'AUD')).toEqual({ minor: 0n, currency: 'AUD' })
  expect(plainDecimal('amount', '-0')).toBe('0')
  expect(plainDecimal('amount', '-0.00')).toBe('0')
})

test(
  '[PAY-01] the number that a browser gets and sends back is the very amount, in every currency',
  () => {
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        const money = { minor: BigInt(amount), currency: code }
        expect(isSameAmount(toJsonNumber(money), amount, code)).toBe(true)
        expect(isSameAmount(toJsonNumber(money), amount + 1, code)).toBe(false)
        expect(parseMoney(plainDecimal('amount', toDecimalText(money)), code)).toEqual(money)
      }),
      { numRuns: RUNS },
    )
  },
  PATIENCE_MS,
)
