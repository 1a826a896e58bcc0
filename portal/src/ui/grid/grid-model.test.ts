import { expect, test } from 'vitest'
import { type GridColumn, nextSort, rowsOfPage, sortedRows } from './grid-model.ts'

const rows = [
  { number: 'INV-10', amount: 5 },
  { number: 'INV-9', amount: 40 },
  { number: 'INV-11', amount: 5 },
]
const columns: readonly GridColumn<(typeof rows)[number]>[] = [
  { key: 'number', label: 'Number', cell: ({ number }) => number, sortBy: ({ number }) => number },
  { key: 'amount', label: 'Amount', cell: ({ amount }) => amount, sortBy: ({ amount }) => amount },
  { key: 'note', label: 'Note', cell: () => '' },
]
const numbers = (key: string, direction: 'ascending' | 'descending') =>
  sortedRows(rows, columns, { key, direction }).map(({ number }) => number)

test('[GRID-01] texts sort with numbers as numbers, numbers by value, and equal rows keep their order', () => {
  expect(numbers('number', 'ascending')).toEqual(['INV-9', 'INV-10', 'INV-11'])
  expect(numbers('amount', 'ascending')).toEqual(['INV-10', 'INV-11', 'INV-9'])
  expect(numbers('amount', 'descending')).toEqual(['INV-9', 'INV-10', 'INV-11'])
})

test('[GRID-01] without a sort, and for a column without a sort value, rows keep their order', () => {
  expect(sortedRows(rows, columns, null)).toEqual(rows)
  expect(numbers('note', 'descending')).toEqual(['INV-10', 'INV-9', 'INV-11'])
})

test('[GRID-01] the first click sorts ascending, the second descending, another column ascending again', () => {
  const first = nextSort(null, 'amount')
  const second = nextSort(first, 'amount')
  expect([first.direction, second.direction, nextSort(second, 'number').direction]).toEqual(['ascending', 'descending', 'ascending'])
})

test('[GRID-01] a page has its rows, and the last page the rest', () => {
  expect(rowsOfPage([1, 2, 3, 4, 5], 2, 2)).toEqual([3, 4])
  expect(rowsOfPage([1, 2, 3, 4, 5], 3, 2)).toEqual([5])
})
