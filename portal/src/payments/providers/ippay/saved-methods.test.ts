import { expect, test } from 'vitest'
import { toSavedMethod } from './saved-methods.ts'

test('[PM-02] [PM-40] type 4: a card is shown with its brand, its last digits and its expiry, or that they are missing', () => {
  const ipPayCard = { type: 'visa', number: '****1000', expiryMonth: 4, expiryYear: 2031 }
  expect(toSavedMethod({ id: 'c1', isDefault: true, sourceType: 'CC', ipPayCard })).toEqual({
    id: 'c1',
    kind: 'card',
    type: 'card',
    title: 'Visa •••• 1000',
    detail: 'Expires 04/2031',
    isDefault: true,
    isPending: false,
    facts: [
      { label: 'Number', value: '****1000' },
      { label: 'Expires', value: '04/2031' },
    ],
  })
  expect(toSavedMethod({ id: 'c2', isDefault: false, sourceType: 'CC' })).toMatchObject({
    title: 'Card',
    detail: '',
    facts: [{ value: 'No number provided' }, { value: 'No expiry date provided' }],
  })
})

test('[PM-02] [BP-05] type 4: a bank account stands among the cards, and pays as eCheck', () => {
  const ipPayBankAccount = { accNum: '****1999', routingNum: '071025661' }
  expect(toSavedMethod({ id: 'a1', isDefault: false, sourceType: 'ACH', ipPayBankAccount })).toMatchObject({
    kind: 'bank',
    type: 'eCheck',
    title: 'Bank account •••• 1999',
    facts: [
      { label: 'Account', value: '****1999' },
      { label: 'Routing number', value: '071025661' },
    ],
  })
})
