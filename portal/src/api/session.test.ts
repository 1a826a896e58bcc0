import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  storeCustomerId,
  clearSession,
  currentCustomerId,
  isSuperUser,
  onStaleRestore,
  currentUser,
  isSignedIn,
  storedAuth,
  storeSession,
} from './session.ts'
import { accessToken, startTestBrowser } from './test-browser.ts'

let browser: Awaited<ReturnType<typeof startTestBrowser>>

beforeEach(async () => {
  browser = await startTestBrowser((_, response) => void response.end())
})

afterEach(() => browser.close())

const CLAIMS = { sub: '7', DisplayName: 'Zoë Müller 漢', BrandId: 12, ResellerId: 2204, resellername: 'Nimbus', exp: 1 }

test('[SESS-01] the user is read from the access token', () => {
  storeSession({ access_token: accessToken(CLAIMS), refresh_token: 'r' })
  expect(currentUser()).toEqual({
    userId: '7',
    displayName: 'Zoë Müller 漢',
    brandId: 12,
    resellerId: 2204,
    resellerName: 'Nimbus',
    isSuperUser: false,
  })
})

test('[AUTH-02] a sign-in is stored under auth with its two tokens, and is_super_user is false', () => {
  storeSession({ access_token: 'a', refresh_token: 'r' })
  expect(JSON.parse(browser.localStorage.getItem('auth') ?? '')).toEqual({ access_token: 'a', refresh_token: 'r' })
  expect(browser.localStorage.getItem('is_super_user')).toBe('false')
  expect(isSuperUser()).toBe(false)
})

test('a support session is marked as a super-user one', () => {
  storeSession({ access_token: 'a', refresh_token: 'r' }, true)
  expect(isSuperUser()).toBe(true)
})

test('[SESS-04] clearing the session removes its three entries and nothing else', () => {
  storeSession({ access_token: 'a', refresh_token: 'r' })
  storeCustomerId(5)
  browser.localStorage.setItem('something', 'else')
  clearSession()
  const left = ['auth', 'current_customer_id', 'is_super_user', 'something'].map((key) => browser.localStorage.getItem(key))
  expect(left).toEqual([null, null, null, 'else'])
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"access_token":1,"refresh_token":"r"}',
  '{"access_token":"a"}',
  '{"access_token":"","refresh_token":""}',
])('a stored entry of %s counts as not signed in', (entry) => {
  browser.localStorage.setItem('auth', entry)
  expect([storedAuth(), isSignedIn(), currentUser()]).toEqual([null, false, null])
})

test.each(['a', 'a.b.c', 'a..c', `a.${btoa('"text"')}.c`, 'a.%%%.c'])('the access token %s gives no user', (token) => {
  storeSession({ access_token: token, refresh_token: 'r' })
  expect(currentUser()).toBeNull()
})

test.each([
  ['17', 17],
  ['', null],
  ['x', null],
  ['-3', null],
  ['1.5', null],
  ['1e999', null],
])('a stored customer of "%s" is read as %s', (entry, id) => {
  browser.localStorage.setItem('current_customer_id', entry)
  expect(currentCustomerId()).toBe(id)
})

const meanwhile: readonly (readonly [string, boolean, () => void])[] = [
  ['nothing has changed', false, () => undefined],
  ['the token was refreshed', false, () => storeSession({ access_token: accessToken(CLAIMS, 2), refresh_token: 's' })],
  ['another customer was chosen', true, () => storeCustomerId(6)],
  ['somebody else signed in', true, () => storeSession({ access_token: accessToken({ ...CLAIMS, sub: '8' }), refresh_token: 's' })],
  ['the session has ended', true, clearSession],
]
test.each(meanwhile)('[NAV-05] a page restored from the back/forward cache: %s → stale is %s', (_, isStale, happens) => {
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  const shown = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
  storeSession({ access_token: accessToken(CLAIMS), refresh_token: 'r' })
  storeCustomerId(5)
  let changes = 0
  const stop = onStaleRestore(() => {
    changes += 1
  })
  shown(false)
  window.dispatchEvent(new Event('pagehide'))
  happens()
  shown(true)
  expect(changes).toBe(isStale ? 1 : 0)
  stop()
  shown(true)
  expect(changes).toBe(isStale ? 1 : 0)
})
