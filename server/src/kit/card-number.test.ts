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
