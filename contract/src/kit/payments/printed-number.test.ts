import { expect, test } from 'vitest'
import { withoutSeparators } from './printed-number.ts'

test.each([
  ['121 042 882', '121042882'],
  ['1210-4288-2', '121042882'],
  [' 062–000\u00A0', '062000'],
  ['20\u201100\u201100', '200000'],
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['1210.4288', '1210.4288'],
])('[PM-21] a number printed as %j is %s', (printed, number) => {
  expect(withoutSeparators(printed)).toBe(number)
})
