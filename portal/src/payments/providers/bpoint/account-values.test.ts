import { expect, test } from 'vitest'
import { missingOfAccount, toBankMethod } from './account-values.ts'

const ACCOUNT = { bsb: '062-000', account: '12-345 678', name: ' Ada Payer ' }
const missing = (account: typeof ACCOUNT) => missingOfAccount(account).filter((name) => name !== false)

test('[PM-101] bpoint: an account is sent as digits, with its holder', () => {
  expect(missing(ACCOUNT)).toEqual([])
  expect(toBankMethod(ACCOUNT)).toEqual({ bsb: '062000', account: '12345678', name: 'Ada Payer' })
})

test.each([
  [{ bsb: '062-00' }, 'a valid BSB'],
  [{ bsb: '' }, 'BSB'],
  [{ account: '1234' }, 'a valid account number'],
  [{ account: '12345678901' }, 'a valid account number'],
  [{ name: ' ' }, 'account holder name'],
])('[PM-101] bpoint: with %j it still needs %s', (change, name) => expect(missing({ ...ACCOUNT, ...change })).toEqual([name]))
