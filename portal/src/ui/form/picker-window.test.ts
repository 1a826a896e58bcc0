import { expect, test } from 'vitest'
import { pickerWindow } from './picker-window.ts'

const entries = Array.from({ length: 10_000 }, (_, at) => at)

test.each([
  ['nothing chosen', -1, 0, 0],
  ['the first', 0, 0, 0],
  ['the last of the beginning', 99, 0, 99],
  ['one behind the beginning', 100, 50, 100],
  ['one in the middle', 5_000, 4_950, 5_000],
  ['the last', 9_999, 9_900, 9_999],
])('[NAV-05] a long list opens with what is chosen in it, and marks it: %s', (_, chosenAt, from, marked) => {
  const open = pickerWindow(entries, chosenAt)
  expect([open.shown.length, open.shown[0], open.shown[open.marked]]).toEqual([100, from, marked])
})

test('[NAV-05] a short list opens whole', () => {
  expect(pickerWindow(['a', 'b', 'c'], 2)).toEqual({ shown: ['a', 'b', 'c'], marked: 2 })
})
