import { expect, test } from 'vitest'
import { localeOptions } from './number-locales.ts'

test('[EASE-14] the locales have names, in their order, after the browser’s own', () => {
  const [browsers, ...others] = localeOptions().map(({ label }) => label)
  expect(browsers).toMatch(/^Browser: \S+/)
  expect(others).toEqual(others.toSorted((one, other) => one.localeCompare(other, 'en')))
  expect(others).toContain('German (Switzerland)')
})
