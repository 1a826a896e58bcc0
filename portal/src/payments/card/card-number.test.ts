import { describe, expect, test } from 'vitest'
import {
  cardParts,
  codeLength,
  formatExpiry,
  formatNumber,
  isCardComplete,
  toCardPayment,
  typedExpiry,
  typedExpiryProblem,
  typedNumber,
} from './card-number.ts'

const TODAY = '2026-11-23'
const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 31', code: '123' }

describe('[PM-08] a card as it is typed', () => {
  test.each([
    ['4', '4'],
    ['42424', '4242 4'],
    ['4242-4242 4242.4242', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['36462462742008', '3646 2462 7420 08'],
    ['no digits', ''],
  ])('the number %s is shown as %s', (typed, shown) => expect(formatNumber(typed)).toBe(shown))

  test.each([
    ['1231', '12 / 31'],
    ['0131', '01 / 31'],
    ['1/31', '01 / 31'],
    ['1 / 31', '01 / 31'],
    ['1/2031', '01 / 31'],
    ['12/2031', '12 / 31'],
    ['12 / 2031', '12 / 31'],
    ['12.31', '12 / 31'],
    ['2031-12', '12 / 31'],
    ['203112', '12 / 31'],
    ['4', '04'],
    ['431', '04 / 31'],
    ['2/31', '02 / 31'],
    ['231', '02 / 31'],
    ['13/31', '13 / 31'],
  ])('the expiry %s is shown as %s, typed or pasted, and once more when the field is left', (typed, shown) => {
    expect(typedExpiry('', typed)).toBe(shown)
    expect([...typed].reduce((before, key) => typedExpiry(before, before + key), '')).toBe(shown)
    expect(formatExpiry(shown)).toBe(shown)
  })

  test.each([
    ['1', '1', '1'],
    ['1/', '01', '01'],
    ['123', '12 / 3', '12 / 3'],
    ['2', '2', '02'],
    ['2031', '2031', '2031'],
    ['2031-1', '2031-1', '01 / 31'],
    ['12/203', '12 / 203', '12 / 203'],
  ])('the beginning %s of an expiry is shown as %s, and as %s when the field is left', (typed, growing, left) => {
    expect(typedExpiry('', typed)).toBe(growing)
    expect(formatExpiry(growing)).toBe(left)
  })

  test.each([
    ['its end', '12 / 31', ['12 / 3', '12 /', '12', '1'], '1'],
    ['a digit of the month, for another one', '12 / 31', ['1 / 31', '11 / 31'], '11 / 31'],
    ['the whole month, for another one', '12 / 31', ['1 / 31', '/ 31', '0 / 31', '09 / 31'], '09 / 31'],
    ['the month, selected and typed anew', '12 / 31', ['0 / 31', '03 / 31'], '03 / 31'],
    ['the year, for one in full', '12 / 31', ['12 /', '12 /2', '12 / 20', '12 / 203', '12 / 2032'], '12 / 32'],
    ['nothing: a year is pasted in the middle', '12 / 31', ['12 / 2031'], '12 / 31'],
    ['all of it, for a shorter date', '12 / 31', ['1/32'], '01 / 32'],
  ])('with backspace in the middle of an expiry one takes away %s', (_, before, steps, shown) => {
    expect(formatExpiry(steps.reduce(typedExpiry, before))).toBe(shown)
  })

  test('a date whose year comes first is not judged before its month is there', () => {
    const half = { ...CARD, expiry: '2026-1' }
    expect([typedExpiryProblem(half.expiry, TODAY), isCardComplete(half, TODAY)]).toEqual([undefined, false])
  })

  test('a digit taken out of the middle of a number is put there again', () => {
    const [before, cut] = ['4242 4242 4242 4242', '4242 242 4242 4242']
    expect([typedNumber(before, cut), typedNumber(cut, '4242 1242 4242 4242')]).toEqual([cut, '4242 1242 4242 4242'])
    expect(typedNumber('4242 4242 4', '4242 4242 ')).toBe('4242 4242')
  })

  test('the code has four digits for a number of fifteen, else three', () => {
    expect([codeLength({ number: '3782 822463 10005' }), codeLength(CARD)]).toEqual([4, 3])
  })

  test.each([
    ['all is there', {}, true],
    ['the number has fifteen characters', { number: '4242 4242 4242 4' }, true],
    ['the number is too short', { number: '4242 4242 4242' }, false],
    ['the number is too long', { number: '4242 4242 4242 4242 4' }, false],
    ['the expiry is half', { expiry: '12 / 3' }, false],
    ['the year is half', { expiry: '12 / 203' }, false],
    ['the expiry is not formatted yet', { expiry: '1 / 31' }, true],
    ['the month is the thirteenth', { expiry: '13 / 31' }, false],
    ['the card has expired', { expiry: '10 / 26' }, false],
    ['the card expires this month', { expiry: '11 / 26' }, true],
    ['the code is too short', { code: '12' }, false],
    ['the code of an American Express card is too short', { number: '3782 822463 10005' }, false],
  ])('can be submitted when %s: %o', (_, change, can) => expect(isCardComplete({ ...CARD, ...change }, TODAY)).toBe(can))

  test('without a code only where none is asked for', () => {
    expect(isCardComplete({ ...CARD, code: '' }, TODAY, false)).toBe(true)
  })

  test('an expiry is wrong only once it is complete', () => {
    expect(typedExpiryProblem('10 / 2', TODAY)).toBeUndefined()
    expect(typedExpiryProblem('10 / 26', TODAY)).toBe('Please provide valid date')
  })
})

test('[SP-03] it is sent without blanks, with the expiry as YYYY-MM', () => {
  expect(toCardPayment(CARD)).toEqual({ cardNumber: '4242424242424242', expirationDate: '2031-12', cardCode: '123' })
  expect(cardParts(CARD)).toEqual({ number: '4242424242424242', month: '12', year: '2031', code: '123' })
})
