import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, luminance } from './colour.ts'

const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

// Values that WCAG's own documents and its working group's tools give.
test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
  ['#0000ff', '#ffffff', 8.59],
  ['#00ff00', '#000000', 15.3],
])('[BRAND-01] the contrast of %s on %s is %d : 1', (ink, ground, ratio) => {
  expect(contrast(ink, ground)).toBeCloseTo(ratio, 2)
})

test('[BRAND-01] contrast is the same both ways round, from 1 to 21; luminance is from 0 to 1', () => {
  fc.assert(
    fc.property(colour, colour, (one, other) => {
      expect(contrast(one, other)).toBe(contrast(other, one))
      expect(contrast(one, other)).toBeGreaterThanOrEqual(1)
      expect(contrast(one, other)).toBeLessThanOrEqual(21 + 1e-9)
      expect(luminance(one)).toBeGreaterThanOrEqual(0)
      expect(luminance(one)).toBeLessThanOrEqual(1 + 1e-9)
    }),
    { seed: 41 },
  )
})
