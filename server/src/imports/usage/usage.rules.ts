import type { LoadRow } from '../../db/copy-in.ts'
import { BadRow } from '../bad-row.ts'
import { plainDecimal } from '../../kit/decimal.ts'
import { instantOf } from '../instant.rules.ts'
import { ID_BYTES, NAME_BYTES, TEXT_BYTES, textOf } from '../text.rules.ts'
import { USAGE_FIELDS, type UsageField } from './usage-fields.rules.ts'

const NUMBER_BYTES = 256

type Reading = (field: UsageField, raw: string) => string | null

const text =
  (bytes: number): Reading =>
  (field, raw) =>
    textOf(field, raw, bytes)
const needed =
  (bytes: number, made: (field: UsageField, text: string) => string = (_field, value) => value): Reading =>
  (field, raw) => {
    const value = textOf(field, raw, bytes)
    if (value === null) throw new BadRow(`${field}: it is missing`)
    return made(field, value)
  }
const utc = (field: UsageField, value: string): string => {
  const { day, time } = instantOf(field, value)
  return `${day} ${time}+00`
}

const READINGS: Readonly<Record<UsageField, Reading>> = {
  externalId: needed(ID_BYTES),
  customer: needed(ID_BYTES),
  date: needed(NUMBER_BYTES, utc),
  service: needed(ID_BYTES),
  recordType: needed(TEXT_BYTES),
  agreement: text(ID_BYTES),
  serviceItem: text(TEXT_BYTES),
  serviceItem2: text(NAME_BYTES),
  serviceItem3: text(NAME_BYTES),
  site: text(NAME_BYTES),
  costCentre: text(NAME_BYTES),
  units: needed(NUMBER_BYTES, plainDecimal),
  price: needed(NUMBER_BYTES, plainDecimal),
}

const IN_ORDER = USAGE_FIELDS.map((field) => [field, READINGS[field]] as const)

/**
 * A raw record in the order of USAGE_FIELDS as the staging takes it: texts trimmed, the date an instant in UTC, numbers exact decimals.
 * @throws BadRow with the field and the reason
 */
export const usageRow = (raw: readonly (string | null | undefined)[]): LoadRow =>
  IN_ORDER.map(([field, reading], at) => reading(field, raw[at] ?? ''))
