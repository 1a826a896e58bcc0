import { describe, expect, test } from 'vitest'
import { cardParts, codeLength, formatExpiry, formatNumber, isCardComplete, toCardPayment, typedExpiryProblem } from './card-number.ts'

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
    ['1', '1'],
    ['12', '12'],
    ['123', '12 / 3'],
    ['1231', '12 / 31'],
    ['4', '04'],
    ['12/2031', '12 / 31'],
    ['12 / 31', '12 / 31'],
  ])('the expiry %s is shown as %s', (typed, shown) => expect(formatExpiry(typed)).toBe(shown))

  test('the code has four digits for a number of fifteen, else three', () => {
    expect([codeLength({ number: '3782 822463 10005' }), codeLength(CARD)]).toEqual([4, 3])
  })

  test.each([
    ['all is there', {}, true],
    ['the number has fifteen characters', { number: '4242 4242 4242 4' }, true],
    ['the number is too short', { number: '4242 4242 4242' }, false],
    ['the number is too long', { number: '4242 4242 4242 4242 4' }, false],
    ['the expiry is half', { expiry: '12 / 3' }, false],
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
