import { BadRow, doAll } from '../bad-row.ts'
import { MAX_ID_BYTES, parseText } from '../text.rules.ts'
import type { RecordShape } from '../record-shape.rules.ts'
import type { ImportField, ImportKind } from './kind.rules.ts'

interface FieldReader {
  readonly name: string
  readonly isNeeded: boolean
  readonly read: ImportField['read']
}

/** The fields of a kind's records, for reading CSV or JSON lines. Each record is converted to the JSON text of the staging table. */
export const shapeOf = (kind: ImportKind): RecordShape<string> => {
  const refs: FieldReader[] = kind.refs.map(({ name, isNeeded }) => ({
    name,
    isNeeded,
    read: (field, raw) => parseText(field, raw, MAX_ID_BYTES),
  }))
  const readers = [
    ...kind.fields.filter(({ name }) => name === 'externalId'),
    ...refs,
    ...kind.fields.filter(({ name }) => name !== 'externalId'),
  ]
  return {
    what: kind.name,
    fields: readers.map(({ name }) => name),
    decimals: new Set(kind.fields.filter(({ type }) => type === 'money' || type === 'numeric').map(({ name }) => name)),
    required: new Set(readers.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)),
    read: (values, onRounded) => JSON.stringify(readValues(kind, readers, values, onRounded)),
  }
}

/** Reads, checks and completes the values of a record, by field name. @throws BadRow with the reasons of all bad fields */
const readValues = (
  kind: ImportKind,
  readers: readonly FieldReader[],
  raw: readonly (string | null | undefined)[],
  onRounded: () => void,
): Record<string, string | null> => {
  const values: Record<string, string | null> = {}
  doAll(
    readers.map(({ name, isNeeded, read }, at) => () => {
      const text = raw[at]
      const value = text === null || text === undefined ? null : read(name, text, onRounded)
      if (value === null && isNeeded) throw new BadRow(`${name}: it is missing`)
      if (text !== undefined) values[name] = value
    }),
  )
  const value = (name: string): string | null => values[name] ?? null
  kind.checkRow?.(value)
  return { ...values, ...kind.derive?.(value) }
}
