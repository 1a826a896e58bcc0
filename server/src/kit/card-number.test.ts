import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasCardNumber } from './card-number.ts'

test.each(['4242424242424242', '4242 4242 4242 4242', 'my card 3782-822463-10005!', '6011111111111117 is it'])(
  '[PAY-01] "%s" holds a card number',
  (text) => {
    expect(hasCardNumber(text)).toBe(true)
  },
)

test.each(['', 'Ada Payer', '4242424242424241', '0412 345 678', '12 Harbour Street 6011', 'INV-2026-00417', '123456789012'])(
  '[PAY-01] "%s" holds none',
  (text) => {
    expect(hasCardNumber(text)).toBe(false)
  },
)

test.each(['94b4d5eb-5384-4197-8011-5a4b2a15e92f', 'E324EEDD-2382-4437-9513-51B839ACF43D', '+44 7911 123456', 'call +49 1512 3456761'])(
  '[PAY-01] "%s", whose digits have a valid check digit, is a token or a phone number',
  (text) => {
    expect(hasCardNumber(text)).toBe(false)
  },
)

test('[PAY-01] no UUID holds a card number, and beside one a card number is still found', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => !hasCardNumber(id) && hasCardNumber(`${id} 4242 4242 4242 4242`)),
    { numRuns: 5_000 },
  )
  for (const text of ['+4242424242424242', '+44 7911 123456 4242424242424242', '4242-4242-4242-4242'])
    expect(hasCardNumber(text)).toBe(true)
})
