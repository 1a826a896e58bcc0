import fc from 'fast-check'
import { expect, test } from 'vitest'
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

test('[AUTH-04] an address of another origin, however written, becomes the start page', () => {
  const disguises = [
    null,
    undefined,
    '',
    'dashboard',
    'https://evil.example/',
    'https://portal.example/dashboard',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\u0000/evil.example',
    ' //evil.example',
    '/%2fevil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/%5C%5Cevil.example',
    '/%09/evil.example',
    '/%0d%0aSet-Cookie:x',
    '/%252fevil.example',
    '/%25252fevil.example',
    '/%2525252525252fevil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/a/%2e%2e//evil.example',
    '/a/%2e%2e/%2fevil.example',
    '/\u200b/evil.example',
    'javascript:alert(1)',
    '/javascript:alert(1)//\\',
    'data:text/html,x',
  ]
  expect(disguises.filter((target) => safePath(target, ORIGIN) !== '/')).toEqual([])
})

test('[AUTH-04] sign-in, sign-out and the server’s own paths are no pages to return to', () => {
  const doors = [
    '/login',
    '/login?r=/login',
    '/LOGIN',
    '/logout',
    '/token',
    '/v1/ec/me',
    '/sso/login?b=x',
    '/la/abc',
    '/a/../logout',
    '/%6cogout',
  ]
  expect(doors.filter((target) => safePath(target, ORIGIN) !== '/')).toEqual([])
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
