import { expect, test } from 'vitest'
import { expiryProblem, INVALID_DATE } from './card-expiry.ts'

const problem = (month: string, year: string) => expiryProblem(month, year, '2026-11-21')

test.each([
  ['11', '2026'],
  ['12', '2026'],
  ['1', '2027'],
  ['01', '2027'],
  ['12', '2070'],
  [' 5 ', ' 2030 '],
])('[PM-08] %s of %s may be saved', (month, year) => {
  expect(problem(month, year)).toBeUndefined()
})

test.each([
  ['10', '2026'],
  ['11', '2025'],
  ['0', '2027'],
  ['13', '2027'],
  ['1', '2071'],
  ['', '2027'],
  ['1', ''],
  ['1', '27'],
  ['1.5', '2027'],
  ['-1', '2027'],
  ['1e0', '2027'],
  ['١', '2027'],
  ['001', '2027'],
  ['1', '02027'],
])('[PM-08] %s of %s is told: Please provide valid date', (month, year) => {
  expect(problem(month, year)).toBe(INVALID_DATE)
  expect(INVALID_DATE).toBe('Please provide valid date')
})
