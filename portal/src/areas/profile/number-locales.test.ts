import { expect, test } from 'vitest'
import { localeOptions, sampleOf } from './number-locales.ts'

test('[EASE-14] a sample shows how numbers and days are written', () => {
  expect(sampleOf('en-AU', '2026-11-24')).toBe('1,234.50 · 24 Nov 2026')
  expect(sampleOf('de-DE', '2026-11-24')).toBe('1.234,50 · 24. Nov. 2026')
  expect(sampleOf('es-ES', '2026-11-24')).toBe('1.234,50 · 24 nov 2026')
})

test('[EASE-14] the locales have names, in their order, after the browser’s own', () => {
  const [browsers, ...others] = localeOptions().map(({ label }) => label)
  expect(browsers).toMatch(/^Browser’s language: \S+/)
  expect(others).toEqual(others.toSorted((one, other) => one.localeCompare(other, 'en')))
  expect(others).toContain('German (Switzerland)')
})
