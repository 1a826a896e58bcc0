import { expect, test } from 'vitest'
import { pageCount, pageSlots } from './pagination-model.ts'

test.each([
  [1, 1, [1]],
  [1, 5, [1, 2, 3, 4, 5]],
  [1, 6, [1, 2, 3, 'gap', 6]],
  [1, 4, [1, 2, 3, 4]],
  [4, 7, [1, 2, 3, 4, 5, 6, 7]],
  [10, 20, [1, 'gap', 8, 9, 10, 11, 12, 'gap', 20]],
  [20, 20, [1, 'gap', 18, 19, 20]],
])('[GRID-01] on page %i of %i stand the first, the last and two neighbours either side', (current, count, slots) => {
  expect(pageSlots(current, count)).toEqual(slots)
})

test('[GRID-01] the page count is the rows divided by 25, rounded up', () => {
  expect([0, 1, 25, 26, 60].map((rows) => pageCount(rows, 25))).toEqual([1, 1, 1, 2, 3])
})
