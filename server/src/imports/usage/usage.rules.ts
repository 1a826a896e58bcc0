import type { LoadRow } from '../../db/copy-in.ts'
import { BadRow } from '../bad-row.ts'
import { plainDecimal } from '../plain-decimal.rules.ts'
import { parseInstant } from '../instant.rules.ts'
import { MAX_ID_BYTES, MAX_NAME_BYTES, MAX_TEXT_BYTES, parseText } from '../text.rules.ts'
import { USAGE_FIELDS, type UsageField } from './usage-fields.rules.ts'

const MAX_NUMBER_BYTES = 256

type ReadField = (field: UsageField, raw: string) => string | null

const readOptional =
  (bytes: number): ReadField =>
  (field, raw) =>
    parseText(field, raw, bytes)
const readRequired =
  (bytes: number, convert: (field: UsageField, text: string) => string = (_field, value) => value): ReadField =>
  (field, raw) => {
    const value = parseText(field, raw, bytes)
    if (value === null) throw new BadRow(`${field}: it is missing`)
    return convert(field, value)
  }
const toUtcTimestamp = (field: UsageField, value: string): string => {
  const { day, time } = parseInstant(field, value)
  return `${day} ${time}+00`
}

const READERS: Readonly<Record<UsageField, ReadField>> = {
  externalId: readRequired(MAX_ID_BYTES),
  customer: readRequired(MAX_ID_BYTES),
  date: readRequired(MAX_NUMBER_BYTES, toUtcTimestamp),
  service: readRequired(MAX_ID_BYTES),
  recordType: readRequired(MAX_TEXT_BYTES),
  agreement: readOptional(MAX_ID_BYTES),
  serviceItem: readOptional(MAX_TEXT_BYTES),
  serviceItem2: readOptional(MAX_NAME_BYTES),
  serviceItem3: readOptional(MAX_NAME_BYTES),
  site: readOptional(MAX_NAME_BYTES),
  costCentre: readOptional(MAX_NAME_BYTES),
  units: readRequired(MAX_NUMBER_BYTES, plainDecimal),
  price: readRequired(MAX_NUMBER_BYTES, plainDecimal),
}

const ORDERED_READERS = USAGE_FIELDS.map((field) => [field, READERS[field]] as const)

/**
 * Converts a raw record, in the order of USAGE_FIELDS, for the staging table: trimmed texts, a UTC timestamp, exact decimals.
 * @throws BadRow with the field and the reason
 */
export const parseUsageRow = (raw: readonly (string | null | undefined)[]): LoadRow =>
  ORDERED_READERS.map(([field, reading], at) => reading(field, raw[at] ?? ''))
