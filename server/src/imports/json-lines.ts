import { BadRow, quoteValue } from './bad-row.ts'
import type { RecordShape } from './record-shape.rules.ts'

/**
 * Parses a JSON object into raw values in the order of the shape's fields. Numbers keep all their digits.
 * @throws BadRow when the line is not a JSON object, or a field is unknown or neither text nor number
 */
export const jsonRecord = (text: string, { what, fields }: RecordShape<unknown>): (string | null | undefined)[] => {
  const object = objectOf(text)
  const unknown = Object.keys(object).find((name) => !fields.includes(name))
  if (unknown !== undefined) throw new BadRow(`${quoteValue(unknown)} is no field of ${what}`)
  const values = fields.map((field) => (Object.hasOwn(object, field) ? object[field] : undefined))
  const exact = values.some((value) => typeof value === 'number') ? exactNumbers(text) : {}
  return values.map((value, at) => {
    const field = fields[at] ?? ''
    if (value === null || value === undefined || typeof value === 'string') return value
    if (typeof value === 'number') return exact[field] ?? null
    throw new BadRow(`${field}: it is neither text nor a number`)
  })
}

/** A line parsed as a JSON object. @throws BadRow when the line is none */
const objectOf = (text: string): Readonly<Record<string, unknown>> => {
  let object: unknown
  try {
    object = JSON.parse(text)
  } catch {
    throw new BadRow('it is not JSON')
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw new BadRow('it is not a JSON object')
  return object as Record<string, unknown>
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const keepNumberSource: Reviver = (_key, value, { source }) => (typeof value === 'number' ? source : value)

/** The numbers of a JSON object as texts as they are written, because 0.1234567890123456789 exceeds the precision of a number. */
const exactNumbers = (text: string): Readonly<Record<string, string>> =>
  JSON.parse(text, keepNumberSource as (key: string, value: unknown) => unknown) as Record<string, string>
