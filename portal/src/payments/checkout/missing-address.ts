/** The lines of a required address, by their labels in a sentence and in the order of the form. */
const LINES = {
  country: 'country',
  address: 'address',
  city: 'city',
  state: 'state or province',
  zip: 'postcode or ZIP',
} as const

/** The lines of an address that are not filled in yet; where none is, the address as a whole. */
export const missingAddress = (address: Readonly<Record<keyof typeof LINES, string>>): readonly string[] => {
  const missing = Object.entries(LINES).filter(([line]) => address[line as keyof typeof LINES].trim() === '')
  return missing.length === Object.keys(LINES).length ? ['billing address'] : missing.map(([, label]) => label)
}
