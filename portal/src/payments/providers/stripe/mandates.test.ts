import { expect, test } from 'vitest'
import { missingForMandate } from './mandates.ts'

const GOOD = { name: 'Alex', email: 'alex@example.com', hasAgreed: true }

test('[PM-15] a debit needs a name of four letters, an email address and a ticked mandate', () => {
  expect(missingForMandate(GOOD, [])).toEqual([])
  expect(missingForMandate({ ...GOOD, name: ' Al  ' }, [])).toHaveLength(1)
  expect(missingForMandate({ ...GOOD, name: 'Abc' }, [])).toHaveLength(1)
  expect(missingForMandate({ ...GOOD, hasAgreed: false }, [])).toHaveLength(1)
})

test.each(['', 'alex', 'alex@', '@example.com', 'alex@example', 'a b@example.com', 'a@b@example.com'])(
  '[PM-15] %j is no email address',
  (email) => {
    expect(missingForMandate({ ...GOOD, email }, [])).toHaveLength(1)
  },
)
