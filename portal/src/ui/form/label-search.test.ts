import { expect, test } from 'vitest'
import { labelsContain } from './label-search.ts'

const labels = ['Café Zürich', 'Harbour Freight', 'North harbour']

test.each([
  ['HARBOUR', ['Harbour Freight', 'North harbour']],
  [' zurich ', ['Café Zürich']],
  ['café', ['Café Zürich']],
  ['nothing', []],
])('[NAV-05] typing "%s" finds every name that contains it', (text, found) => {
  expect(labels.filter((label) => labelsContain(text)({ label }))).toEqual(found)
})
