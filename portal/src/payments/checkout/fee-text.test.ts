import { expect, test } from 'vitest'
import { feeNote, feeRule } from './fee-text.ts'

const fee = (kind: 'card' | 'bank', amount: number, percent = 0, fixed = 0) => ({ kind, amount, percent, fixed, total: 110 + amount })
const plain = (text: string): string => text.replaceAll('\u00a0', ' ')

test.each([
  [fee('card', 3.25, 2.95), '2.95 %'],
  [fee('card', 3.55, 2.95, 0.3), '2.95 % + $0.30'],
  [fee('bank', 0.5, 0, 0.5), '$0.50'],
  [fee('card', 1.65, 1.5), '1.5 %'],
  [fee('card', 0), ''],
])('[EASE-02] the rule of a fee is said in the numbers of the reader: %j', (one, text) => {
  expect(plain(feeRule(one, '$'))).toBe(text)
})

test('[EASE-02] a method says its fee, and that it has none only where another way has one', () => {
  const fees = [fee('card', 3.25, 2.95), fee('bank', 0)]
  expect((['card', 'bank'] as const).map((kind) => plain(feeNote(fees, kind, '$')))).toEqual(['fee 2.95 %', 'no fee'])
  expect(feeNote([fee('card', 0), fee('bank', 0)], 'bank', '$')).toBe('')
})
