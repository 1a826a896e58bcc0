import { expect, test } from 'vitest'
import { missingOfAccount } from './account.ts'

const ACCOUNT = { holder: 'Ada', email: 'ada@payer.example', bsb: '000-001', number: '123 45' }
const missing = (account: typeof ACCOUNT, hasAgreed = true) => missingOfAccount(account, hasAgreed).filter((name) => name !== false)

test('[PM-60] [PM-15] pinch: an account needs its owner, an address, a BSB, a number and the mandate', () => {
  expect(missing(ACCOUNT)).toEqual([])
  expect(missing({ holder: '', email: '', bsb: '', number: '' }, false)).toEqual([
    'account holder name',
    'email',
    'BSB',
    'account number',
    'your agreement',
  ])
})

test.each([
  [{ holder: ' ' }, 'account holder name'],
  [{ email: 'ada' }, 'a valid email'],
  [{ bsb: '00000' }, 'a valid BSB'],
  [{ number: '1234' }, 'a valid account number'],
  [{ number: '12345678901' }, 'a valid account number'],
  [{ number: 'abcdef' }, 'a valid account number'],
])('[PM-60] [PM-15] pinch: with %j it still needs %s', (change, name) => expect(missing({ ...ACCOUNT, ...change })).toEqual([name]))
