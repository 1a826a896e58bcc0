import { expect, test } from 'vitest'
import { formatBsb, toBankMethod } from './account-values.ts'

const ACCOUNT = { bsb: '062-000', account: '12345678', name: ' Ada Payer ' }

test('[PM-101] bpoint: an account is sent as digits, with its holder', () => {
  expect(toBankMethod(ACCOUNT)).toEqual({ bsb: '062000', account: '12345678', name: 'Ada Payer' })
  expect(toBankMethod({ ...ACCOUNT, account: '12-345 678' })?.account).toBe('12345678')
})

test.each([{ bsb: '062-00' }, { bsb: '' }, { account: '1234' }, { account: '12345678901' }, { name: ' ' }])(
  '[PM-101] bpoint: it is not complete with %j',
  (change) => expect(toBankMethod({ ...ACCOUNT, ...change })).toBeNull(),
)

test.each([
  ['062', '062'],
  ['0620', '062-0'],
  ['062 000', '062-000'],
  ['0620001', '062-000'],
])('[PM-101] bpoint: the BSB %s is shown as %s', (typed, shown) => expect(formatBsb(typed)).toBe(shown))
