import { expect, test } from 'vitest'
import { usageSums } from './usage-sums.ts'

const summary = { records: 12_345, price: '1234567890.00005', units: null, bars: [] }

test('[EASE-06] the sums say of how many records they are, the price with four decimals, units where they are of one record type', () => {
  expect(usageSums(12_345, summary, false, 'A$')).toEqual({ label: 'Sum of 12,345 records', cells: { price: 'A$1,234,567,890.0001' } })
  expect(usageSums(1, { ...summary, records: 1, price: '-0.00005', units: '2.5' }, false, '$')).toEqual({
    label: 'Sum of 1 record',
    cells: { price: '-$0.0001', units: '2.5' },
  })
})

test('[EASE-06] until they are there, and when they cannot be had, their row stands all the same', () => {
  expect(usageSums(7, undefined, false, '$')).toEqual({ label: 'Sum of 7 records', cells: { price: '…' } })
  expect(usageSums(7, undefined, true, '$').cells).toEqual({ price: '–' })
})
