import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridlineValues } from './chart-scale.ts'

test.each([
  [1184.86, [0, 300, 600, 900, 1200]],
  [505.25, [0, 150, 300, 450, 600]],
  [0.7, [0, 0.2, 0.4, 0.6, 0.8]],
  [0, [0, 1, 2, 3, 4]],
])('[DASH-02] up to %d five gridlines stand at round values', (greatest, values) => {
  expect(gridlineValues(greatest, 5)).toEqual(values)
})

test('[DASH-02] the topmost gridline is never below the tallest bar, and never more than twice as high', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e12, noNaN: true }), (greatest) => {
      const top = gridlineValues(greatest, 5).at(-1) ?? 0
      expect(top).toBeGreaterThanOrEqual(greatest * (1 - 1e-8))
      expect(top).toBeLessThanOrEqual(greatest * 2)
    }),
  )
})
