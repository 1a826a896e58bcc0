import { expect, test } from 'vitest'
import { optionWindow } from './option-window.ts'

const options = Array.from({ length: 10_000 }, (_, index) => index)

test.each([
  ['nothing selected', -1, 0, 99],
  ['the first', 0, 0, 99],
  ['the last of the beginning', 99, 0, 99],
  ['one after the beginning', 100, 50, 149],
  ['one in the middle', 5_000, 4_950, 5_049],
  ['the last', 9_999, 9_900, 9_999],
])('[NAV-05] a long list shows the selected option and its neighbours: %s', (_, selectedIndex, first, last) => {
  const shown = optionWindow(options, selectedIndex)
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([100, first, last])
  expect(shown.includes(selectedIndex)).toBe(selectedIndex >= 0)
})

test('[NAV-05] a short list is shown completely', () => {
  expect(optionWindow(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'c'])
})
