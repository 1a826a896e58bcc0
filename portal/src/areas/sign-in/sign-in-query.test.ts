import { expect, test } from 'vitest'
import { modeOfFragment } from './sign-in-mode.ts'
import { parseSignInQuery, singleSignOnPath } from './sign-in-query.ts'

const read = (search: string) => parseSignInQuery(search, 'https://portal.example')

test.each([
  ['Unexpected redirect error', 'The Company does not exist or blocked'],
  ['The Company does not have SSO authentication', 'The Company does not have SSO authentication'],
  ['<b>anything</b> else', 'Authentication failed'],
])('[AUTH-09] an error "%s" that comes back from single sign-on is shown as "%s"', (e, text) => {
  expect(read(`?${new URLSearchParams({ e })}`).error).toBe(text)
})

test('[SSO-04] what the server says of the trouble becomes advice; other words, and words without an error, become nothing', () => {
  expect(read('?e=Authentication+failed&why=away').advice).toContain('is not responding')
  expect(read('?e=Authentication+failed&why=%3Cb%3Ehello').advice).toBeNull()
  expect(read('?e=Authentication+failed').advice).toBeNull()
  expect(read('?why=away').advice).toBeNull()
})

test('an address without parameters asks for nothing', () => {
  expect(read('')).toEqual({ target: '/', hasReturnPath: false, organization: null, error: null, advice: null, code: null })
})

test('[AUTH-04] only a path of the portal is a place to come back to', () => {
  expect(read('?r=%2Fusage%3Fpage%3D2')).toMatchObject({ target: '/usage?page=2', hasReturnPath: true })
  expect(read('?r=%2F%2Fevil.example')).toMatchObject({ target: '/', hasReturnPath: false })
})

test('[AUTH-09] single sign-on starts with the organization, ct=2 and the return address', () => {
  expect(singleSignOnPath('Orbit & Sons', '/usage?page=2')).toBe('/sso/login?b=Orbit+%26+Sons&ct=2&r=%2Fusage%3Fpage%3D2')
  expect(singleSignOnPath('orbit', '/')).toBe('/sso/login?b=orbit&ct=2')
})

test('a fragment that names no mode shows the first one', () => {
  expect([modeOfFragment('#company-name', 'log-in'), modeOfFragment('', 'company-name'), modeOfFragment('#nonsense', 'log-in')]).toEqual([
    'company-name',
    'company-name',
    'log-in',
  ])
})
