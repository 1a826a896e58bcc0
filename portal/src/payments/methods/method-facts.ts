import { pageLocale } from '../../format/locale.ts'

/** A line of a saved method's expanded row. */
export interface Fact {
  readonly label: string
  readonly value: string
}

type Text = string | null | undefined

interface Address {
  readonly line1?: Text
  readonly line2?: Text
  readonly city?: Text
  readonly state?: Text
  readonly postalCode?: Text
  readonly country?: Text
}

/** A fact, or "No … provided" when the value is missing (PM-02). */
export const toFact = (label: string, value: Text, missing = label): Fact => ({ label, value: value?.trim() || `No ${missing} provided` })

/** The facts of an address. */
export const addressFacts = (address: Address | undefined): readonly Fact[] => [
  toFact('Address 1', address?.line1),
  toFact('Address 2', address?.line2),
  toFact('City', address?.city, 'city'),
  toFact('State', address?.state, 'state'),
  toFact('Postal code', address?.postalCode, 'postal code'),
  toFact('Country', countryName(address?.country), 'country'),
]

/** The name of a country by its code: "Australia" for "AU" and "au". Any other text stays as it is. */
export const countryName = (country: Text): Text => {
  const code = country?.trim().toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(code) ? new Intl.DisplayNames([pageLocale()], { type: 'region' }).of(code) : country
}
