import { expect, test } from 'vitest'
import { isPaymentPath } from './payment-paths.ts'

test('only the payment screens are opened in a payment document', () => {
  expect(['/payment-types', '/payment-types/', '/bulk-pay', '/payment-result'].map(isPaymentPath)).toEqual([true, true, true, true])
  expect(['/', '/invoices', '/payment-types/other', '/settings', '/bulk-payment', '/pay/x'].filter(isPaymentPath)).toEqual([])
})
