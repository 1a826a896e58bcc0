import { expect, test } from 'vitest'
import { missingAddress } from './missing-address.ts'

const NONE = { country: '', address: '', city: '', state: ' ', zip: '' }

test('[EASE-02] an address that is not begun is missing as a whole, a begun one by its lines', () => {
  expect(missingAddress(NONE)).toEqual(['billing address'])
  expect(missingAddress({ ...NONE, country: 'US', city: 'Bath' })).toEqual(['address', 'state or province', 'postcode or ZIP'])
  expect(missingAddress({ country: 'US', address: '1 Elm St', city: 'Bath', state: 'ME', zip: '04530' })).toEqual([])
})
