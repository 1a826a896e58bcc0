import { BadRow } from '../bad-row.ts'
import { ID_BYTES, textOf } from '../text.rules.ts'
import type { RecordShape } from '../record-shape.rules.ts'
import { currencySymbol } from '../focus/import-house.ts'
import type { ImportKind } from './kind.rules.ts'

interface Reading {
  readonly name: string
  readonly isNeeded: boolean
  readonly read: (name: string, raw: string) => string | null
}

/** What a kind's records are like, each read to the JSON text that its staging keeps. */
export const shapeOf = (kind: ImportKind): RecordShape<string> => {
  const refs: Reading[] = kind.refs.map(({ name, isNeeded }) => ({ name, isNeeded, read: (field, raw) => textOf(field, raw, ID_BYTES) }))
  const readings = [
    ...kind.fields.filter(({ name }) => name === 'externalId'),
    ...refs,
    ...kind.fields.filter(({ name }) => name !== 'externalId'),
  ]
  return {
    what: kind.name,
    fields: readings.map(({ name }) => name),
    needed: new Set(readings.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)),
    read: (values) => JSON.stringify(valuesOf(kind, readings, values)),
  }
}

const valuesOf = (
  kind: ImportKind,
  readings: readonly Reading[],
  raw: readonly (string | null | undefined)[],
): Record<string, string | null> => {
  const values: Record<string, string | null> = {}
  for (const [at, { name, isNeeded, read }] of readings.entries()) {
    const given = raw[at]
    const value = given === null || given === undefined ? null : read(name, given)
    if (value === null && isNeeded) throw new BadRow(`${name}: it is missing`)
    if (given !== undefined) values[name] = value
  }
  kind.whole?.((name) => values[name] ?? null)
  return withSymbol(kind, values)
}

/** A customer in a currency of its own has that one's sign, unless the file names another. */
const withSymbol = (kind: ImportKind, values: Record<string, string | null>): Record<string, string | null> => {
  const { currency, currencySymbol: symbol } = values
  if (kind.table !== 'customer' || typeof currency !== 'string' || typeof symbol === 'string') return values
  return { ...values, currencySymbol: currencySymbol(currency) }
}
