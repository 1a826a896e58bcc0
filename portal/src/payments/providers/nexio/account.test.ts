import { expect, test } from 'vitest'
import { EMPTY_ACCOUNT, missingOfAccount } from './account.ts'
import { EMPTY_PAYER, missingOfPayer } from './payer.ts'

const ACCOUNT = { ...EMPTY_ACCOUNT, holder: 'Ada', routing: '2313-7515-1', number: '987 654' }
const missing = (account: typeof ACCOUNT) => missingOfAccount(account).filter((name) => name !== false)

test.each([
  [{}, []],
  [EMPTY_ACCOUNT, ['account holder name', 'routing number', 'account number']],
  [{ routing: '23137515' }, ['a valid routing number']],
  [{ number: '98765' }, ['a valid account number']],
  [{ email: 'ada@' }, ['a valid email']],
])('[PM-50] nexio: an account with %j still needs %j', (change, names) => expect(missing({ ...ACCOUNT, ...change })).toEqual(names))

test('[PM-50] nexio: a card still needs the names of its payer and a shipping address, and no more', () => {
  expect(missingOfPayer(EMPTY_PAYER).filter((name) => name !== false)).toEqual(['payer first name', 'payer last name', 'shipping address'])
})
