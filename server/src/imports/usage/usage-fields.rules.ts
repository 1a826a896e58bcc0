import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'

/** The plain texts of a usage record. */
export const TEXT_FIELDS = USAGE_TEXTS.map(({ importField }) => importField)

/** The fields of a usage record: CSV column names, JSON keys, and their order in a raw record. */
export const USAGE_FIELDS = [
  'externalId',
  'customer',
  'date',
  'service',
  'recordType',
  'agreement',
  'serviceItem',
  ...TEXT_FIELDS,
  'costCentre',
  'units',
  'price',
] as const
export type UsageField = (typeof USAGE_FIELDS)[number]

const OPTIONAL: ReadonlySet<string> = new Set<UsageField>(['agreement', 'serviceItem', ...TEXT_FIELDS, 'costCentre'])

/** The fields that every usage record has. */
export const REQUIRED_USAGE_FIELDS: ReadonlySet<string> = new Set(USAGE_FIELDS.filter((field) => !OPTIONAL.has(field)))

/** The fields that are numbers. */
export const USAGE_DECIMALS: ReadonlySet<string> = new Set<UsageField>(['units', 'price'])
