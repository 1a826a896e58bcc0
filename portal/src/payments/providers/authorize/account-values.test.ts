import { expect, test } from 'vitest'
import { toAccountBody } from './account-values.ts'

const ACCOUNT = {
  routingNumber: ' 121042882 ',
  accountNumber: '12345',
  nameOnAccount: 'Ada Payer',
  bankName: 'First Bank',
  accountType: 'savings',
}

test('[PM-21] authorize: an account is sent as it was typed, without blanks around', () => {
  expect(toAccountBody(ACCOUNT)).toEqual({ ...ACCOUNT, routingNumber: '121042882' })
})

test.each([
  { routingNumber: '1210' },
  { accountNumber: '1234' },
  { nameOnAccount: ' ' },
  { nameOnAccount: 'A name of 23 characters' },
  { bankName: '' },
  { accountType: '' },
  { accountType: 'gold' },
])('[PM-21] authorize: an account cannot be saved with %j', (change) => {
  expect(toAccountBody({ ...ACCOUNT, ...change })).toBeNull()
})
