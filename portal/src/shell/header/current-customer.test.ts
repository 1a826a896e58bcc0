import { expect, test } from 'vitest'
import { preferredCustomer } from './current-customer.ts'

const customer = (customerId: number, selected = false) => ({
  customerId,
  label: `Customer ${customerId}`,
  selected,
  currency: 'USD',
  currencySymbol: '$',
})

test.each([
  ['the stored one', [customer(1), customer(2, true), customer(3)], 3, 3],
  ['the selected one when nothing is stored', [customer(1), customer(2, true)], null, 2],
  ['the selected one when the stored one is not among them', [customer(1), customer(2, true)], 9, 2],
  ['the first when none is selected', [customer(1), customer(2)], null, 1],
  ['nobody when there is none', [], 1, undefined],
])('[SESS-05] the customer to act for is %s', (_, customers, storedId, chosen) => {
  expect(preferredCustomer(customers, storedId)?.customerId).toBe(chosen)
})
