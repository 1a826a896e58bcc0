import { invalidField } from './bpoint-error.ts'

/** A JSON object as it was received. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; empty when it is anything else. */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The object of that name; empty when it is absent. */
export const objectField = (fields: Fields, name: string): Fields => toFields(fields[name])

/** The text of that name; undefined when it is absent, empty or anything else. */
export const textField = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** @throws BpointError when there is no text of that name, or it is longer than `max` */
export const requiredText = (fields: Fields, name: string, { max = 50, path = name } = {}): string => {
  const text = textField(fields, name)
  if (text === undefined) throw invalidField(path, `${capitalize(name)} is required`, 'Mandatory')
  if (text.length > max) throw invalidField(path, `${capitalize(name)} is too long`, 'MaxLength')
  return text
}

/** The optional text of that name; null without one. @throws BpointError when it is longer than `max` */
export const optionalText = (fields: Fields, name: string, max = 50): string | null => {
  const text = textField(fields, name) ?? null
  if (text !== null && text.length > max) throw invalidField(name, `${capitalize(name)} is too long`, 'MaxLength')
  return text
}

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
