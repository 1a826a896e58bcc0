import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FOREIGN_TARGETS } from './foreign-targets.ts'
import { safePath } from './safe-path.ts'

const ORIGIN = 'https://portal.example'

test.each([
  '/',
  '/dashboard',
  '/invoices?sort=amount&page=2#row-7',
  '/usage?q=100%25',
  '/usage?q=a//b',
  '/pay/a1b2c3',
  '/service-items?q=%E2%82%AC',
  '/loginless',
])('[AUTH-04] %s is a path of the portal and is kept as it is', (path) => {
  expect(safePath(path, ORIGIN)).toBe(path)
})

test('[AUTH-02][AUTH-04] what is no page of this portal, however written, becomes the start page', () => {
  expect(FOREIGN_TARGETS.length).toBeGreaterThanOrEqual(120)
  const targets = [...FOREIGN_TARGETS, null, undefined]
  expect(targets.filter((target) => safePath(target, 'https://localhost') !== '/')).toEqual([])
})

test('[AUTH-04] whatever the target, the browser stays on the origin', () => {
  const pieces = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%25',
    '%2e',
    '\t',
    '\n',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'https:',
    'a',
    ' ',
    '\u0000',
  ]
  const targets = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => `/${parts.join('')}`)
  fc.assert(
    fc.property(fc.oneof(targets, fc.string()), (target) => {
      expect(new URL(safePath(target, ORIGIN), ORIGIN).origin).toBe(ORIGIN)
    }),
    { numRuns: 2_000 },
  )
})
