import { toCsv } from '@counterfoil/contract/kit/csv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCsvRowCounter } from './csv-row-counter.ts'

const cell = fc.oneof(fc.string(), fc.constantFrom('a "quoted" word', 'two\nlines', 'a\r\nb', '",\n"', '0491 570 120', 'größer 💾', '""'))
const rows = fc.array(fc.tuple(cell, cell), { maxLength: 30 })
const csvBytes = (rows: readonly (readonly [string, string])[]): Uint8Array =>
  new TextEncoder().encode(
    toCsv(
      [
        { label: 'Site,\n"place"', cell: ([site]) => site },
        { label: 'Units', cell: ([, units]) => units },
      ],
      rows,
    ),
  )

test('[USG-07] a file cut into pieces anywhere has as many records as it was made of', () => {
  fc.assert(
    fc.property(rows, fc.array(fc.nat({ max: 400 }), { maxLength: 8 }), (rows, cutAt) => {
      const bytes = csvBytes(rows)
      const counter = createCsvRowCounter()
      const offsets = [0, ...cutAt.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
      for (const [at, from] of offsets.entries()) counter.add(bytes.subarray(from, offsets[at + 1] ?? bytes.length))
      expect([counter.rows(), counter.isAtEnd()]).toEqual([rows.length, true])
    }),
    { seed: 71 },
  )
})

test('[USG-07] a file that breaks off anywhere never counts as whole', () => {
  fc.assert(
    fc.property(rows, fc.nat(), (rows, at) => {
      const bytes = csvBytes(rows)
      const counter = createCsvRowCounter()
      counter.add(bytes.subarray(0, at % bytes.length))
      expect(counter.isAtEnd() && counter.rows() === rows.length).toBe(rows.length === 0 && counter.isAtEnd())
      expect(counter.rows()).toBeLessThanOrEqual(rows.length)
    }),
    { seed: 72 },
  )
})

test('nothing, and headings alone, are no records', () => {
  const counter = createCsvRowCounter()
  expect([counter.rows(), counter.isAtEnd()]).toEqual([0, false])
  counter.add(new TextEncoder().encode('Site,Units\n'))
  expect([counter.rows(), counter.isAtEnd()]).toEqual([0, true])
})
