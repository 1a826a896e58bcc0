import { expect, test } from 'vitest'
import { BUILT, isBuilt, LOGOUT, payPath, SETTINGS } from './paths.ts'

test('the signed-in app has these addresses, and menu and guards know no others', () => {
  expect(['/', ...BUILT, LOGOUT]).toMatchInlineSnapshot(`
    [
      "/",
      "/dashboard",
      "/invoices",
      "/usage",
      "/transactions",
      "/reports",
      "/cost-centre",
      "/service-items",
      "/settings",
      "/payment-types",
      "/payment-result",
      "/bulk-pay",
      "/logout",
    ]
  `)
  expect(['/pay', '/redirect-loader', '/nowhere'].map(isBuilt)).toEqual([false, false, false])
  expect(isBuilt(SETTINGS)).toBe(true)
})

test('[INV-04] the way to pay an invoice is /pay/ and its token, safe in an address', () => {
  expect(payPath('a/b?c')).toBe('/pay/a%2Fb%3Fc')
})
