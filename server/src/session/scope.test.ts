import { expect, test } from 'vitest'
import type { LinkedInvoice } from '../payments/payment-link.queries.ts'
import { type CustomerScope, mintScope } from './scope.ts'

const pay = (payer: CustomerScope): string => `${payer.resellerId} ${payer.customerId}`

test('what pays takes a scope that was granted; two numbers in an object do not compile', () => {
  const scope: CustomerScope = mintScope({ resellerId: 1, customerId: 2 })
  const link: LinkedInvoice = mintScope({ resellerId: 1, customerId: 2, invoiceId: 4 })
  expect([pay(scope), pay(link)]).toEqual(['1 2', '1 2'])
  // @ts-expect-error -- an object with swapped ids
  pay({ resellerId: scope.customerId, customerId: scope.resellerId })
  // @ts-expect-error -- numbers alone
  pay({ resellerId: 1, customerId: 2 })
})
