import { expect, test } from 'vitest'
import { formatBsb, isNumberOf } from './bank-numbers.ts'

test.each([
  ['', ''],
  ['062', '062'],
  ['0620', '062-0'],
  ['062000', '062-000'],
])('[PM-60] [PM-101] the BSB %s is shown as %s', (number, shown) => expect(formatBsb(number)).toBe(shown))

test.each([
  ['12-345 678', true],
  ['12345', true],
  ['1234', false],
  ['1-2-3-4', false],
  ['123 456 789 01', false],
  ['12345x', false],
  ['', false],
])('[PM-15] [PM-21] whether the number %j has five to ten digits is %s', (printed, has) => expect(isNumberOf(printed, 5, 10)).toBe(has))
