import { expect, test } from 'vitest'
import { EMPTY_ACCOUNT, missingNames, missingOfAccount, toAccountBody } from './account-values.ts'

const ACCOUNT = {
  routingNumber: ' 1210-4288-2 ',
  accountNumber: '123 45',
  nameOnAccount: 'Ada Payer ',
  bankName: 'First Bank',
  accountType: 'savings',
}
const missing = (account: typeof ACCOUNT) => missingOfAccount(account).filter((name) => name !== false)

test('[PM-21] authorize: an account is sent as it was typed, its numbers without blanks and dashes', () => {
  expect(missing(ACCOUNT)).toEqual([])
  expect(toAccountBody(ACCOUNT)).toEqual({
    ...ACCOUNT,
    routingNumber: '121042882',
    accountNumber: '12345',
    nameOnAccount: 'Ada Payer',
  })
})

test.each([
  [EMPTY_ACCOUNT, ['routing number', 'account number', 'account name', 'bank name', 'account type']],
  [{ routingNumber: '1210' }, ['a valid routing number']],
  [{ accountNumber: '1234' }, ['a valid account number']],
  [{ nameOnAccount: ' ' }, ['account name']],
  [{ nameOnAccount: 'A name of 23 characters' }, ['a valid account name']],
  [{ bankName: '' }, ['bank name']],
  [{ accountType: '' }, ['account type']],
  [{ accountType: 'gold' }, ['account type']],
])('[PM-21] authorize: with %j it still needs %j', (change, names) => expect(missing({ ...ACCOUNT, ...change })).toEqual(names))

test('[PM-21] authorize: the masked numbers of a stored account stay as they are', () => {
  const stored = { ...ACCOUNT, routingNumber: 'XXXX2882', accountNumber: 'XXXX6789' }
  expect(missingNames(stored).some((name) => name !== false)).toBe(false)
  expect(toAccountBody(stored)).toMatchObject({ routingNumber: 'XXXX2882', accountNumber: 'XXXX6789' })
})
