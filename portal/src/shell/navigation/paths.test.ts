import { expect, test } from 'vitest'
import { SCREEN_PATHS, isScreenPath, LOGOUT_PATH, payPath, SETTINGS_PATH } from './paths.ts'

test('the signed-in app has these paths', () => {
  expect(['/', ...SCREEN_PATHS, LOGOUT_PATH]).toMatchInlineSnapshot(`
    [
      "/",
      "/dashboard",
      "/spending",
      "/invoices",
      "/usage",
      "/transactions",
      "/reports",
      "/cost-centre",
      "/service-items",
      "/profile",
      "/settings",
      "/payment-types",
      "/payment-result",
      "/bulk-pay",
      "/logout",
    ]
  `)
  expect(['/pay', '/redirect-loader', '/nowhere'].map(isScreenPath)).toEqual([false, false, false])
  expect(isScreenPath(SETTINGS_PATH)).toBe(true)
})

test('[INV-04] the path to pay an invoice is /pay/ and its token, encoded', () => {
  expect(payPath('a/b?c')).toBe('/pay/a%2Fb%3Fc')
})
