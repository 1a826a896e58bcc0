import { contrast } from '@counterfoil/contract/kit/colour/colour'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLegibleColour, tint } from './print-colour.ts'

test('[INV-05] a brand colour that is legible on white stays as it is', () => {
  expect(toLegibleColour('#0b5ed7')).toBe('#0b5ed7')
})

test('[INV-05] a pale brand colour is darkened and keeps its hue', () => {
  expect(toLegibleColour('#ffff00')).toMatch(/^#(\w\w)\1(00)$/)
})

test('[INV-05] whatever colour a brand has, what is printed has at least 4.5 : 1 on white and on the tinted panel', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const brand = `#${number.toString(16).padStart(6, '0')}`
      const ink = toLegibleColour(brand)
      return contrast(ink, '#ffffff') >= 4.5 && contrast(ink, tint(brand, 0.07)) >= 4.5
    }),
  )
})

test.each(['', 'red', '#fff', '#12345g'])('[INV-05] what is no colour (%s) becomes a dark grey', (colour) => {
  expect(toLegibleColour(colour)).toBe('#1f2937')
})
