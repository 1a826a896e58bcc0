import type { Card } from '@counterfoil/contract/payment-methods'
import type { AddressValues, AddressLine } from '../../methods/address-fields.tsx'

type LineKey = 'line1' | 'line2' | 'city' | 'state' | 'postalCode'

/** The lines of a card's address. */
export const ADDRESS_LINES: readonly AddressLine<LineKey>[] = [
  { key: 'line1', autoComplete: 'address-line1' },
  { key: 'line2', autoComplete: 'address-line2' },
  { key: 'city', autoComplete: 'address-level2' },
  { key: 'state', autoComplete: 'address-level1' },
  { key: 'postalCode', autoComplete: 'postal-code' },
]

export type MethodAddress = AddressValues<LineKey>

/** A stored address as the values of the fields. */
export const toAddressValues = (address: Card['address']): MethodAddress => ({
  line1: address?.line1 ?? '',
  line2: address?.line2 ?? '',
  city: address?.city ?? '',
  state: address?.state ?? '',
  postalCode: address?.postalCode ?? '',
  country: address?.country ?? '',
})

/** The address for the API: null for empty lines. */
export const toApiAddress = ({ line1, line2, city, state, postalCode, country }: MethodAddress): NonNullable<Card['address']> => ({
  line1: textOrNull(line1),
  line2: textOrNull(line2),
  city: textOrNull(city),
  state: textOrNull(state),
  postalCode: textOrNull(postalCode),
  country: textOrNull(country),
})

/** The text trimmed; null when it is blank. */
const textOrNull = (text: string): string | null => text.trim() || null
