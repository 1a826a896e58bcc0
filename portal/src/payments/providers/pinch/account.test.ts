import { expect, test } from 'vitest'
import { canAddAccount, formatBsb } from './account.ts'

const ACCOUNT = { holder: 'Ada', email: 'ada@payer.example', bsb: '000-001', number: '12345' }

test('[PM-60] [PM-15] pinch: an account needs its owner, an address, a BSB, a number of five digits and the mandate', () => {
  expect(canAddAccount(ACCOUNT, true)).toBe(true)
  expect(canAddAccount(ACCOUNT, false)).toBe(false)
  for (const change of [
    { holder: ' ' },
    { email: 'ada' },
    { bsb: '00000' },
    { number: '1234' },
    { number: '12345678901' },
    { number: 'abcdef' },
  ])
    expect(canAddAccount({ ...ACCOUNT, ...change }, true), JSON.stringify(change)).toBe(false)
})

test('[PM-60] pinch: a BSB is shown in its two groups', () => {
  expect(['', '000', '0000', '000-001', '0000019', 'x00'].map(formatBsb)).toEqual(['', '000', '000-0', '000-001', '000-001', '00'])
})
