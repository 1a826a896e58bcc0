/** A JSON object as it was received, its names in lower case: Pinch does not distinguish them. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; empty when it is anything else. */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), inner]))
    : {}

/** The value of that name, whatever the case of its letters; null when absent. */
export const field = (fields: Fields, name: string): unknown => fields[name.toLowerCase()] ?? null

/** The text of that name, a number as its digits; undefined when it is absent, blank or anything else. */
export const textField = (fields: Fields, name: string): string | undefined => {
  const value = field(fields, name)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The positive whole number of that name, also as a text; undefined for anything else. */
export const wholeField = (fields: Fields, name: string): number | undefined => {
  const text = textField(fields, name)
  return text !== undefined && /^\d{1,12}$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

/** The texts of that name: one or a list of them; empty for anything else. */
export const textsField = (fields: Fields, name: string): readonly string[] => {
  const value = field(fields, name)
  if (Array.isArray(value)) return value.filter((text): text is string => typeof text === 'string' && text !== '')
  return typeof value === 'string' && value !== '' ? [value] : []
}
