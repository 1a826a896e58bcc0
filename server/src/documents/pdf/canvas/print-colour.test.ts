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

/** WCAG 2.2, implemented independently of the tested code. */
const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const luminance = (hex: string): number =>
  [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
    const share = Number.parseInt(hex.slice(1 + index * 2, 3 + index * 2), 16) / 255
    return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
  }, 0)
