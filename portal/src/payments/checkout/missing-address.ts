/** The lines of a required address in the order of the form, with the labels that are not their names. */
const LINES = { country: '', address: '', city: '', state: 'state or province', zip: 'postcode or ZIP' }
type Line = keyof typeof LINES

/** The lines of an address that are not filled in yet, as a sentence names them; where none is, the address as a whole. */
export const missingAddress = (address: Readonly<Record<Line, string>>): readonly string[] => {
  const lines = Object.keys(LINES) as Line[]
  const missing = lines.filter((line) => address[line].trim() === '')
  return missing.length === lines.length ? ['billing address'] : missing.map((line) => LINES[line] || line)
}
