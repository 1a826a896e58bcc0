import { validationError } from './nexio-error.ts'

/** A JSON object as it was received. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; empty when it is anything else. */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The object of that name; empty when it is absent. */
export const objectField = (fields: Fields, name: string): Fields => toFields(fields[name])

/** The text of that name, a number as its digits; undefined when it is absent, empty or anything else. */
export const textField = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The text field `name`, a number as its digits. @throws NexioError when the field is absent, empty or anything else */
export const requiredText = (fields: Fields, name: string, path = name): string => {
  const text = textField(fields, name)
  if (text === undefined) throw validationError(`"${path}" is required`)
  return text
}

/**
 * The whole number of a query's field, from 0, of at most nine digits; `otherwise` when the field is absent or empty.
 * @throws NexioError for any other text
 */
export const integerField = (fields: Fields, name: string, otherwise: number): number => {
  const text = textField(fields, name)
  if (text === undefined) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw validationError(`"${name}" must be a number`)
  return Number(text)
}
