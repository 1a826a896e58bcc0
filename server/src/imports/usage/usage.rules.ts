import type { LoadRow } from '../../db/copy-in.ts'
import { BadRow, doAll } from '../bad-row.ts'
import { plainDecimal, QUANTITY_DIGITS } from '../plain-decimal.rules.ts'
import { parseInstant } from '../instant.rules.ts'
import type { RecordShape } from '../record-shape.rules.ts'
import { MAX_ID_BYTES, MAX_NAME_BYTES, MAX_TEXT_BYTES, parseText } from '../text.rules.ts'
import { REQUIRED_USAGE_FIELDS, TEXT_FIELDS, USAGE_DECIMALS, USAGE_FIELDS, type UsageField } from './usage-fields.rules.ts'

const MAX_NUMBER_BYTES = 256

type ReadField = (field: UsageField, raw: string, onRounded: () => void) => string | null

/** Makes a reader of a text that may be missing (null), of at most so many bytes. */
const readOptional =
  (bytes: number): ReadField =>
  (field, raw) =>
    parseText(field, raw, bytes)
/** Makes a reader of a text that must be there, and converts the text. The reader throws BadRow for a missing one. */
const readRequired =
  (bytes: number, convert: (field: UsageField, text: string, onRounded: () => void) => string = (_field, value) => value): ReadField =>
  (field, raw, onRounded) => {
    const value = parseText(field, raw, bytes)
    if (value === null) throw new BadRow(`${field}: it is missing`)
    return convert(field, value, onRounded)
  }
/** An instant as the UTC text that PostgreSQL takes. @throws BadRow */
const toUtcTimestamp = (field: UsageField, value: string): string => {
  const { day, time } = parseInstant(field, value)
  return `${day} ${time}+00`
}

const TEXT_READERS = Object.fromEntries(TEXT_FIELDS.map((field) => [field, readOptional(MAX_NAME_BYTES)])) as Record<
  (typeof TEXT_FIELDS)[number],
  ReadField
>

const READERS: Readonly<Record<UsageField, ReadField>> = {
  externalId: readRequired(MAX_ID_BYTES),
  customer: readRequired(MAX_ID_BYTES),
  date: readRequired(MAX_NUMBER_BYTES, toUtcTimestamp),
  service: readRequired(MAX_ID_BYTES),
  recordType: readRequired(MAX_TEXT_BYTES),
  agreement: readOptional(MAX_ID_BYTES),
  serviceItem: readOptional(MAX_TEXT_BYTES),
  ...TEXT_READERS,
  costCentre: readOptional(MAX_NAME_BYTES),
  units: readRequired(MAX_NUMBER_BYTES, (field, text, onRounded) => plainDecimal(field, text, { onRounded, wholeDigits: QUANTITY_DIGITS })),
  price: readRequired(MAX_NUMBER_BYTES, (field, text, onRounded) => plainDecimal(field, text, { onRounded })),
}

const ORDERED_READERS = USAGE_FIELDS.map((field) => [field, READERS[field]] as const)

/**
 * Converts a raw record, in the order of USAGE_FIELDS, for the staging table: trimmed texts, a UTC timestamp, exact decimals.
 * @param onRounded called for each number that is rounded
 * @throws BadRow with the reason for each bad field
 */
const parseUsageRow = (raw: readonly (string | null | undefined)[], onRounded: () => void): LoadRow => {
  try {
    return ORDERED_READERS.map(([field, reading], at) => reading(field, raw[at] ?? '', onRounded))
  } catch (error) {
    doAll(
      ORDERED_READERS.map(
        ([field, reading], at) =>
          () =>
            reading(field, raw[at] ?? '', () => undefined),
      ),
    )
    throw error
  }
}

/** The fields of usage, for reading CSV or JSON lines. */
export const USAGE_SHAPE: RecordShape<LoadRow> = {
  what: 'usage',
  fields: USAGE_FIELDS,
  required: REQUIRED_USAGE_FIELDS,
  decimals: USAGE_DECIMALS,
  read: parseUsageRow,
}
