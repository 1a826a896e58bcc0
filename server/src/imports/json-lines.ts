import { BadRow, quoteValue } from './bad-row.ts'
import type { RecordShape } from './record-shape.rules.ts'

/**
 * A JSON object on a line as a raw record, in the order of the shape's fields. Numbers keep their digits as they stand there.
 * @throws BadRow when the line is no JSON object, or has a field that is unknown or neither text nor number
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

/** The object's numbers as they are written: 0.1234567890123456789 is more than a number can hold. */
const exactNumbers = (text: string): Readonly<Record<string, string>> =>
  JSON.parse(text, keepNumberSource as (key: string, value: unknown) => unknown) as Record<string, string>
