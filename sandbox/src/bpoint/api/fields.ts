import { invalidField } from './bpoint-error.ts'

/** A JSON object as it was received. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; an empty object when the value is no object. */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The object field `name`; an empty object when the field is absent or no object. */
export const objectField = (fields: Fields, name: string): Fields => toFields(fields[name])

/** The text field `name`; undefined when the field is absent, empty or no text. */
export const textField = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The text field `name`. @throws BpointError when the field is absent, empty, no text, or longer than `max` */
export const requiredText = (fields: Fields, name: string, { max = 50, path = name } = {}): string => {
  const text = textField(fields, name)
  if (text === undefined) throw invalidField(path, `${capitalize(name)} is required`, 'Mandatory')
  if (text.length > max) throw invalidField(path, `${capitalize(name)} is too long`, 'MaxLength')
  return text
}

/**
 * The optional text field `name`; null when the field is absent, empty or no text.
 * @throws BpointError when the text is longer than `max`
 */
export const optionalText = (fields: Fields, name: string, max = 50): string | null => {
  const text = textField(fields, name) ?? null
  if (text !== null && text.length > max) throw invalidField(name, `${capitalize(name)} is too long`, 'MaxLength')
  return text
}

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
