import { expect, test } from 'vitest'
import { safeRedirect } from './safe-redirect.ts'

const SANDBOX = 'http://localhost:3900'
const SCRIPT = `${SANDBOX}/stripe/v3/`

test('[PM-07][BP-04] a confirmation opens over https, or at the configured sandbox', () => {
  const bank = 'https://hooks.stripe.com/3d_secure_2/hosted?merchant=acct_1&source=payatt_1'
  expect(safeRedirect(bank, null)).toBe(bank)
  expect(safeRedirect(`${SANDBOX}/stripe/3d_secure_2/hosted?x=1`, SCRIPT)).toBe(`${SANDBOX}/stripe/3d_secure_2/hosted?x=1`)
})

test.each([
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  ' https://bank.example',
  'https:bank.example',
  'https:/bank.example',
  '//bank.example',
  '/\\bank.example',
  'https://bank.example\\@evil.example',
  'https://user:secret@bank.example/',
  'https://user@bank.example/',
  'data:text/html,x',
  'http://bank.example/',
  'http://localhost:3901/stripe',
  'http://localhost:3900.evil.example/',
  'http://localhost:3900@evil.example/',
  'ftp://bank.example/',
  '/payment-result',
  'https://bank.example/\u202egnp',
  '',
])('[PM-07][BP-04] the browser is never sent to %j', (target) => {
  expect(safeRedirect(target, SCRIPT)).toBeNull()
})

test('[PM-07] a value that is no string is rejected', () => {
  expect([undefined, null, 7, {}].map((target) => safeRedirect(target, SCRIPT))).toEqual([null, null, null, null])
})
