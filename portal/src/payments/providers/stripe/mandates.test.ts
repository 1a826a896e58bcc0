import { expect, test } from 'vitest'
import { canGiveMandate } from './mandates.ts'

const GOOD = { name: 'Alex', email: 'alex@example.com', hasAgreed: true }

test('[PM-15] a debit needs a name of four letters, an email address and a ticked mandate', () => {
  expect(canGiveMandate(GOOD)).toBe(true)
  expect(canGiveMandate({ ...GOOD, name: ' Al  ' })).toBe(false)
  expect(canGiveMandate({ ...GOOD, name: 'Abc' })).toBe(false)
  expect(canGiveMandate({ ...GOOD, hasAgreed: false })).toBe(false)
})

test.each(['', 'alex', 'alex@', '@example.com', 'alex@example', 'a b@example.com', 'a@b@example.com'])(
  '[PM-15] %j is no email address',
  (email) => {
    expect(canGiveMandate({ ...GOOD, email })).toBe(false)
  },
)
