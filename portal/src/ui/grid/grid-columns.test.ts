import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cardPlan, filledColumns } from './cards/card-plan.ts'
import { wrappingOf } from './cell-text.ts'
import type { GridColumn } from './grid-model.ts'
import { readHiddenColumns, writeHiddenColumns } from './hidden-columns.ts'
import { visibleColumns } from './visible-columns.ts'

interface Row {
  readonly name: string
  readonly site: string
  readonly amount: number
}

const columns: readonly GridColumn<Row>[] = [
  { key: 'name', label: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { key: 'site', label: 'Site', cell: ({ site }) => site || '–', sortBy: ({ site }) => site },
  { key: 'amount', label: 'Amount', align: 'end', cell: ({ amount }) => amount, sortBy: ({ amount }) => amount },
  { key: 'actions', label: 'Actions', isActions: true, cell: () => 'PDF' },
]
const row: Row = { name: 'Fleet Data', site: '', amount: 0 }
const byDefault = { hidden: new Set<string>(), sortKey: undefined, showsAll: false }
const shownKeys = (rows: readonly Row[], change: Partial<Parameters<typeof visibleColumns>[2]> = {}): string[] =>
  visibleColumns(columns, rows, { ...byDefault, ...change }).shown.map(({ key }) => key)

test('[EASE-10] a column without values on the page steps back, unless it is sorted by or asked for; a zero is a value', () => {
  expect(shownKeys([row])).toEqual(['name', 'amount', 'actions'])
  expect(visibleColumns(columns, [row], byDefault).emptyCount).toBe(1)
  expect(shownKeys([row, { ...row, site: 'Perth' }])).toEqual(['name', 'site', 'amount', 'actions'])
  expect(shownKeys([row], { sortKey: 'site' })).toEqual(['name', 'site', 'amount', 'actions'])
  expect(shownKeys([row], { showsAll: true })).toEqual(['name', 'site', 'amount', 'actions'])
  expect(shownKeys([])).toEqual(['name', 'site', 'amount', 'actions'])
})

test('[EASE-10] a column that is switched off is gone; the one that names the row, and actions, always stay', () => {
  const hidden = new Set(['name', 'site', 'amount', 'actions', 'of an earlier version'])
  expect(shownKeys([{ ...row, site: 'Perth' }], { hidden })).toEqual(['name', 'actions'])
  expect(visibleColumns(columns, [row], { ...byDefault, hidden }).emptyCount).toBe(0)
})

test.each([
  ['0491 570 156', 'never'],
  ['HEAD-OFFICE-OF-THE-SOUTH-EAST-REGION', 'never'],
  ['Altona North', 'never'],
  ['Additional SIM cards, express delivery', 'words'],
  [`/subscriptions/${'0123456789'.repeat(6)}`, 'anywhere'],
])('[EASE-10] the text %s wraps: %s', (name, wrapping) => {
  expect(wrappingOf(columns[0]!, row, name)).toBe(wrapping)
})

test('[EASE-10] numbers never break, and neither do days and codes of a column that says so', () => {
  expect(wrappingOf(columns[2]!, row, 'A$ 1,234,567.00')).toBe('never')
  const days: GridColumn<Row> = { key: 'days', label: 'Days', nowrap: true, cell: () => '16 September 2026 – 31 October 2026' }
  expect(wrappingOf(days, row, days.cell(row))).toBe('never')
})

test('[EASE-10] a card has its two lines and the rest, without values that are missing; a grid without places shows all', () => {
  const placed = columns.map((column): GridColumn<Row> => {
    if (column.key === 'name') return { ...column, cardSlot: 'title', cardCell: () => 'short' }
    return column.key === 'amount' ? { ...column, cardSlot: 'amount' } : column
  })
  const plan = cardPlan(placed)
  expect(plan.slots.title.map(({ key }) => key)).toEqual(['name'])
  expect(plan.slots.amount.map(({ key }) => key)).toEqual(['amount'])
  expect({ rest: plan.rest.map(({ key }) => key), hasPress: plan.hasPress }).toEqual({ rest: ['name', 'site'], hasPress: true })
  expect(filledColumns(plan.rest, row).map(({ key }) => key)).toEqual(['name'])
  const all = cardPlan(columns)
  expect({ rest: all.rest.map(({ key }) => key), hasPress: all.hasPress }).toEqual({ rest: ['site', 'amount'], hasPress: false })
})

const stored = new Map<string, string>()
beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})
afterEach(() => {
  stored.clear()
  vi.unstubAllGlobals()
})

test('[EASE-10] each grid remembers its own columns, and whatever else stands in the storage is no error', () => {
  writeHiddenColumns('Transactions', new Set(['site', 'gone']))
  writeHiddenColumns('Usage', new Set(['site']))
  writeHiddenColumns('Usage', new Set())
  expect([...readHiddenColumns('Transactions')]).toEqual(['site', 'gone'])
  expect(readHiddenColumns('Usage').size).toBe(0)
  for (const text of ['null', '[1]', '{"Transactions":{"a":1}}', '{', '{"Transactions":[1,null]}']) {
    stored.set('hidden_columns', text)
    expect(readHiddenColumns('Transactions').size).toBe(0)
  }
})
