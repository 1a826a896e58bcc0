import { afterEach, expect, test, vi } from 'vitest'
import { goToLogin } from './refresh-token.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Where somebody without a session is sent from an address of the portal. */
const loginAddressFrom = (address: string): string => {
  const { pathname, search, hash } = new URL(address, 'https://portal.example')
  const assign = vi.fn<(path: string) => void>()
  vi.stubGlobal('location', { pathname, search, hash, assign })
  goToLogin()
  return assign.mock.lastCall?.[0] ?? ''
}

test('[AUTH-05] the sign-in page is told the whole address to return to, with its fragment', () => {
  expect(loginAddressFrom('/usage?page=2#row-7')).toBe(`/login?r=${encodeURIComponent('/usage?page=2#row-7')}`)
  expect(loginAddressFrom('/')).toBe('/login')
})
