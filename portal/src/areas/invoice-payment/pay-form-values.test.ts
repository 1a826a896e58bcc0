import { expect, test } from 'vitest'
import { EMPTY_VALUES, missingFields, toRequestFields, type PayFormValues } from './pay-form-values.ts'

const NOTHING_REQUIRED = { requiredCardHolder: false, requiredBillingAddress: false, requiredEmail: false }
const ALL_REQUIRED = { requiredCardHolder: true, requiredBillingAddress: true, requiredEmail: true }
const COMPLETE: PayFormValues = {
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
  expect(missingFields(EMPTY_VALUES, NOTHING_REQUIRED, [])).toEqual([])
})

test.each(['cardHolder', 'address', 'city', 'state', 'zip', 'country'] as const)('[SP-02] %s is missed where it is required', (field) => {
  expect(missingFields(COMPLETE, ALL_REQUIRED, [])).toEqual([])
  expect(missingFields({ ...COMPLETE, [field]: ' ' }, ALL_REQUIRED, [])).toHaveLength(1)
  expect(missingFields({ ...COMPLETE, [field]: ' ' }, NOTHING_REQUIRED, [])).toEqual([])
})

test('[SP-02] a receipt goes to an email address or nowhere', () => {
  expect(missingFields({ ...COMPLETE, email: '' }, NOTHING_REQUIRED, [])).toEqual([])
  expect(missingFields({ ...COMPLETE, email: 'alex@' }, NOTHING_REQUIRED, [])).toEqual(['a valid email'])
  expect(missingFields(EMPTY_VALUES, ALL_REQUIRED, ['card details', 'payer last name'])).toEqual([
    'name on card',
    'card details',
    'payer last name',
    'email',
    'billing address',
  ])
})

test('[SP-02] [PM-60] an email address is missed where the provider needs it', () => {
  expect(missingFields({ ...COMPLETE, email: ' ' }, ALL_REQUIRED, [])).toHaveLength(1)
  expect(missingFields({ ...COMPLETE, email: 'alex@' }, ALL_REQUIRED, [])).toHaveLength(1)
})

test('[SP-03] the form sends cardHolder, email and billingAddress by their names, and nothing that was left empty', () => {
  expect(toRequestFields(EMPTY_VALUES, NOTHING_REQUIRED)).toEqual({})
  expect(toRequestFields({ ...COMPLETE, cardHolder: ' Alex Chen ' }, ALL_REQUIRED)).toEqual({
    cardHolder: 'Alex Chen',
    email: 'alex@example.com',
    billingAddress: { address: '1 Quay St', city: 'Sydney', state: 'NSW', zip: '2000', country: 'AU', company: '' },
  })
})
