import { expect, test } from 'vitest'
import { bankFacts, cardFacts } from './method-facts.ts'

const valuesByLabel = (facts: readonly { label: string; value: string }[]) =>
  Object.fromEntries(facts.map(({ label, value }) => [label, value]))

test('[PM-02] what is not known of a card is said to be missing', () => {
  expect(valuesByLabel(cardFacts({ id: '1', isDefault: true }))).toEqual({
    Name: 'No name provided',
    Expires: 'No expiry date provided',
    'Address 1': 'No Address 1 provided',
    'Address 2': 'No Address 2 provided',
    City: 'No city provided',
    State: 'No state provided',
    'Postal code': 'No postal code provided',
    Country: 'No country provided',
  })
})

test('[PM-02] the known facts of a card are shown unchanged', () => {
  const card = {
    id: '1',
    isDefault: false,
    stripeCard: { brand: 'visa', last4: '4242', expMonth: 4, year: 2030, name: 'Alex Chen' },
    address: { line1: '1 Quay St', line2: '  ', city: 'Sydney', state: 'NSW', postalCode: '2000', country: 'AU' },
  }
  expect(valuesByLabel(cardFacts(card))).toMatchObject({ Name: 'Alex Chen', Expires: '04/2030', 'Address 1': '1 Quay St', City: 'Sydney' })
  expect(valuesByLabel(cardFacts(card))['Address 2']).toBe('No Address 2 provided')
})

test.each([
  ['AU', 'Australia'],
  [' de', 'Germany'],
  ['USA', 'USA'],
  ['New Zealand', 'New Zealand'],
])('[PM-02] the country "%s" is shown as %s', (country, name) => {
  expect(valuesByLabel(cardFacts({ id: '1', isDefault: false, address: { country } })).Country).toBe(name)
})

const BANK = { id: '1', isDefault: false, status: 'ready', billingDetails: { name: 'Alex Chen', email: null, phone: '' } } as const

test.each([
  [
    { type: 'au_becs_debit', aubecsDebit: { bsbNumber: '000-000', last4: '3456' } },
    { BSB: '000-000', Account: '•••• 3456' },
  ],
  [
    { type: 'bacs_debit', bacsDebit: { sort_code: '108800', last4: '2345' } },
    { 'Sort code': '108800', Account: '•••• 2345' },
  ],
  [
    { type: 'sepa_debit', sepaDebit: { bank_code: '19043', last4: '3201', country: 'AT' } },
    { 'Bank code': '19043', Account: '•••• 3201' },
  ],
  [
    { type: 'us_bank_account', usbankAccount: { routing_number: '110000000', last4: '6789' } },
    { 'Routing number': '110000000', Account: '•••• 6789' },
  ],
])('[PM-02] an account of %j tells its own numbers and what is missing of its owner', (numbers, facts) => {
  const answer = valuesByLabel(bankFacts({ ...BANK, ...numbers }))
  expect(answer).toMatchObject({ ...facts, Name: 'Alex Chen', Email: 'No email provided', Phone: 'No phone provided' })
})
