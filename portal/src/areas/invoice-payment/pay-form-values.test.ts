import { expect, test } from 'vitest'
import { isFilledIn, NOTHING_TYPED, sentFields, type Typed } from './pay-form-values.ts'

const FREE = { requiredCardHolder: false, requiredBillingAddress: false }
const STRICT = { requiredCardHolder: true, requiredBillingAddress: true }
const ALL: Typed = {
  cardHolder: 'Alex Chen',
  email: 'alex@example.com',
  address: '1 Quay St',
  city: 'Sydney',
  state: 'NSW',
  zip: '2000',
  country: 'AU',
  company: '',
}

test('[SP-02] where nothing is required the card alone is enough', () => {
  expect(isFilledIn(NOTHING_TYPED, FREE)).toBe(true)
})

test.each(['cardHolder', 'address', 'city', 'state', 'zip', 'country'] as const)('[SP-02] %s is missed where it is required', (field) => {
  expect(isFilledIn(ALL, STRICT)).toBe(true)
  expect(isFilledIn({ ...ALL, [field]: ' ' }, STRICT)).toBe(false)
  expect(isFilledIn({ ...ALL, [field]: ' ' }, FREE)).toBe(true)
})

test('[SP-02] a receipt goes to an email address or nowhere', () => {
  expect(isFilledIn({ ...ALL, email: '' }, STRICT)).toBe(true)
  expect(isFilledIn({ ...ALL, email: 'alex@' }, STRICT)).toBe(false)
})

test('[SP-03] the form sends cardHolder, email and billingAddress by their names, and nothing that was left empty', () => {
  expect(sentFields(NOTHING_TYPED, FREE)).toEqual({})
  expect(sentFields({ ...ALL, cardHolder: ' Alex Chen ' }, STRICT)).toEqual({
    cardHolder: 'Alex Chen',
    email: 'alex@example.com',
    billingAddress: { address: '1 Quay St', city: 'Sydney', state: 'NSW', zip: '2000', country: 'AU', company: '' },
  })
})
