import type { Card } from '@counterfoil/contract/payment-methods'
import type { Address, AddressLine } from '../../address-fields.tsx'

type Key = 'line1' | 'line2' | 'city' | 'state' | 'postalCode'

/** The lines of a stored method's address, as the list shows them. */
export const ADDRESS_LINES: readonly AddressLine<Key>[] = [
  { key: 'line1', label: 'Address 1', autoComplete: 'address-line1' },
  { key: 'line2', label: 'Address 2', autoComplete: 'address-line2' },
  { key: 'city', label: 'City', autoComplete: 'address-level2' },
  { key: 'state', label: 'State', autoComplete: 'address-level1' },
  { key: 'postalCode', label: 'Postal code', autoComplete: 'postal-code' },
]

export type MethodAddress = Address<Key>

/** A stored address as it stands in the fields. */
export const typedAddress = (address: Card['address']): MethodAddress => ({
  line1: address?.line1 ?? '',
  line2: address?.line2 ?? '',
  city: address?.city ?? '',
  state: address?.state ?? '',
  postalCode: address?.postalCode ?? '',
  country: address?.country ?? '',
})

/** The address as our server takes it: null for what was left empty. */
export const sentAddress = ({ line1, line2, city, state, postalCode, country }: MethodAddress): NonNullable<Card['address']> => ({
  line1: given(line1),
  line2: given(line2),
  city: given(city),
  state: given(state),
  postalCode: given(postalCode),
  country: given(country),
})

const given = (text: string): string | null => text.trim() || null
