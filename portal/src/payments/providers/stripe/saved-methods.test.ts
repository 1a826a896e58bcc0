import { expect, test } from 'vitest'
import { toSavedAccount, toSavedCard } from './saved-methods.ts'

const CARD = { id: 'c1', isDefault: true, stripeCard: { brand: 'visa', last4: '4242', expMonth: 4, year: 2030, name: null } }
const ACCOUNT = {
  id: 'b1',
  isDefault: false,
  type: 'us_bank_account',
  status: 'ready',
  usbankAccount: { routing_number: '110000000', last4: '6789' },
  billingDetails: { name: 'Jordan Ames' },
} as const

test('[BP-02][BP-05] cards and accounts can be chosen, each with the type that it is sent as', () => {
  expect(toSavedCard(CARD)).toMatchObject({
    id: 'c1',
    kind: 'card',
    type: 'card',
    title: 'Visa •••• 4242',
    detail: 'Expires 04/2030',
    isDefault: true,
    isPending: false,
  })
  expect(toSavedAccount(ACCOUNT)).toMatchObject({
    id: 'b1',
    kind: 'bank',
    type: 'us_bank_account',
    title: 'Routing number 110000000 •••• 6789',
    detail: 'Jordan Ames',
    isDefault: false,
    isPending: false,
  })
})

test('[BP-02] an account that is not verified yet is pending', () => {
  expect(toSavedAccount({ ...ACCOUNT, status: 'pending' })).toMatchObject({ isPending: true })
})
