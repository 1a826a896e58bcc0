/** The fields of a JSON object, in their order. */
export interface Fields {
  readonly [name: string]: unknown
}

/** Whether the value is an object; null and lists are not. */
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object at a path; undefined where there is none. */
export const fieldsOf = (fields: Fields | undefined, ...path: readonly string[]): Fields | undefined => {
  let current: Fields | undefined = fields
  for (const name of path) {
    const value: unknown = current?.[name]
    current = isFields(value) ? value : undefined
  }
  return current
}

/** The text, number or boolean of a field as text; undefined when it is absent or empty. */
export const textOf = (fields: Fields | undefined, name: string): string | undefined => {
  const value = fields?.[name]
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  return String(value) === '' ? undefined : String(value)
}

/** The objects of a field that holds one object or a list of them; empty for a field that is absent or something else. */
export const listOf = (fields: Fields | undefined, name: string): Fields[] => {
  const value = fields?.[name]
  return (Array.isArray(value) ? value : [value]).filter(isFields)
}

/** The fields without those that are undefined; null and empty texts stay. */
export const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
