import { expect, test } from 'vitest'
import { labelContains } from './option-search.ts'

const labels = ['Café Zürich', 'Harbour Freight', 'North harbour']

test.each([
  ['HARBOUR', ['Harbour Freight', 'North harbour']],
  [' zurich ', ['Café Zürich']],
  ['café', ['Café Zürich']],
  ['nothing', []],
])('[NAV-05] typing "%s" finds every label that contains it', (text, expected) => {
  expect(labels.filter((label) => labelContains(text)({ label }))).toEqual(expected)
})
