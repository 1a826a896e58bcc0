import { OperatorError } from '../../kit/refusal.ts'

/** The fields of a usage record, as the header of a CSV file and the keys of a JSON line name them; also their order in a raw record. */
export const USAGE_FIELDS = [
  'externalId',
  'customer',
  'date',
  'service',
  'recordType',
  'agreement',
  'serviceItem',
  'serviceItem2',
  'serviceItem3',
  'site',
  'costCentre',
  'units',
  'price',
] as const
export type UsageField = (typeof USAGE_FIELDS)[number]

const OPTIONAL: ReadonlySet<string> = new Set<UsageField>([
  'agreement',
  'serviceItem',
  'serviceItem2',
  'serviceItem3',
  'site',
  'costCentre',
])
const KNOWN: ReadonlySet<string> = new Set(USAGE_FIELDS)

/** Is this the name of a field? */
export const isUsageField = (name: string): name is UsageField => KNOWN.has(name)

/** Where a CSV file keeps what. */
export interface UsageColumns {
  readonly width: number
  /** The position of each field in the order of USAGE_FIELDS; -1 where the file does not have it. */
  readonly at: readonly number[]
}

/**
 * Reads the header of a CSV file; columns may stand in any order.
 * @throws OperatorError that names what is unknown, there twice or missing
 */
export const usageColumns = (line: number, header: readonly string[]): UsageColumns => {
  const names = header.map((name) => name.trim())
  const unknown = names.filter((name) => !isUsageField(name)).map((name) => (name === '' ? 'a column without a name' : name))
  if (unknown.length > 0)
    throw new OperatorError(
      `line ${line}: the header has ${unknown.join(', ')}, which is no field of usage; the fields are ${USAGE_FIELDS.join(', ')}`,
    )
  const twice = names.find((name, position) => names.indexOf(name) !== position)
  if (twice !== undefined) throw new OperatorError(`line ${line}: the header names the column ${twice} twice`)
  const missing = USAGE_FIELDS.filter((field) => !OPTIONAL.has(field) && !names.includes(field))
  if (missing.length > 0) throw new OperatorError(`line ${line}: the header lacks ${missing.join(', ')}`)
  return { width: names.length, at: USAGE_FIELDS.map((field) => names.indexOf(field)) }
}
