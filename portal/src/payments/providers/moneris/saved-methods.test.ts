import { expect, test } from 'vitest'
import { toSavedCard } from './saved-methods.ts'

test('[PM-02] [PM-50] moneris: a card is shown with its last digits, its expiry, phone and email, or that they are missing', () => {
  const known = { cardNumber: '***4242', brand: 'visa', month: 4, year: 2030, phone: '604-555-0100', email: 'ada@payer.example' }
  expect(toSavedCard({ id: 'c1', isDefault: true, monerisCard: known })).toEqual({
    id: 'c1',
    kind: 'card',
    type: 'card',
    title: 'Visa •••• 4242',
    detail: 'Expires 04/2030',
    isDefault: true,
    isPending: false,
    facts: [
      { label: 'Expires', value: '04/2030' },
      { label: 'Phone', value: '604-555-0100' },
      { label: 'Email', value: 'ada@payer.example' },
    ],
  })
  const unknown = { cardNumber: null, month: null, year: null, phone: null, email: null }
  expect(toSavedCard({ id: 'c2', isDefault: false, monerisCard: unknown })).toMatchObject({
    title: 'Card',
    detail: '',
    facts: [{ value: 'No expiry date provided' }, { value: 'No phone provided' }, { value: 'No email provided' }],
  })
})
