import type { LoadRow } from '../../db/copy-in.ts'
import type { RecordLine } from '../record-lines.ts'
import { createBloomFilter } from './bloom-filter.ts'
import { TEXT_FIELDS, USAGE_FIELDS, type UsageField } from './usage-fields.rules.ts'

/** Where these fields stand in a raw record. */
const positionsOf = (fields: readonly UsageField[]): readonly number[] => fields.map((field) => USAGE_FIELDS.indexOf(field))

/** The fields that refer to other records. */
const REFERENCE_POSITIONS = positionsOf(['customer', 'service', 'recordType', 'agreement', 'serviceItem'])
/** The other fields, in the order of the staging table. */
const VALUE_POSITIONS = positionsOf(['externalId', 'date', ...TEXT_FIELDS, 'costCentre', 'units', 'price'])
const [EXTERNAL_ID_POSITION = 0, DATE_POSITION = 0, AGREEMENT_POSITION = 0, PRICE_POSITION = 0] = positionsOf([
  'externalId',
  'date',
  'agreement',
  'price',
])

/** Limits memory. Beyond it references get new numbers, which costs time and changes nothing else. */
const MAX_NUMBERED = 100_000
const NO_REFERENCE_TEXTS = REFERENCE_POSITIONS.map(() => null)
const EMPTY_COLUMNS = [null, null, null, ...NO_REFERENCE_TEXTS, null, ...VALUE_POSITIONS.map(() => null)]
const YES = 't'
/** A character that no field can contain. */
const KEY_SEPARATOR = '\0'

/** What was found in the lines of a file. */
export interface LoadSummary {
  /** Distinct references. */
  references: number
  hasBadLines: boolean
  /** True when an external id may occur twice. */
  hasRepeats: boolean
  /** The first days of the months that contain records. */
  readonly months: Set<string>
  /** The first and the last instant of the records, as they are staged. */
  earliest: string
  latest: string
  hasNegativePrices: boolean
}

/** Converts lines of a file into rows of the staging table. */
export interface LineStager {
  toStagingRow(line: RecordLine<LoadRow>): LoadRow
  readonly summary: LoadSummary
}

/**
 * Makes the converter of one file's lines, which also sums up what it has seen. Each distinct reference gets a number, so that it is looked
 * up once, in memory that does not grow with the file.
 */
export const createLineStager = (): LineStager => {
  const summary: LoadSummary = {
    references: 0,
    hasBadLines: false,
    hasRepeats: false,
    months: new Set(),
    earliest: '9',
    latest: '',
    hasNegativePrices: false,
  }
  const mayHaveSeen = createBloomFilter()
  const createNumbering = (fields: readonly UsageField[]): ((row: LoadRow) => string) => {
    const known = new Map<string, string>()
    const places = positionsOf(fields)
    return (row) => {
      let key = ''
      for (const at of places) key += (row[at] ?? '') + KEY_SEPARATOR
      const number = known.get(key)
      if (number !== undefined) return number
      if (known.size >= MAX_NUMBERED) known.clear()
      summary.references += 1
      const next = String(summary.references)
      known.set(key, next)
      return next
    }
  }
  const itemOf = createNumbering(['customer', 'service', 'serviceItem'])
  const typeOf = createNumbering(['service', 'recordType'])
  const agreementOf = createNumbering(['customer', 'agreement'])

  const toStagingRow = (line: RecordLine<LoadRow>): LoadRow => {
    if ('reason' in line) {
      summary.hasBadLines = true
      return [String(line.line), line.reason, ...EMPTY_COLUMNS]
    }
    const { row } = line
    const before = summary.references
    const references = [itemOf(row), typeOf(row), row[AGREEMENT_POSITION] === null ? null : agreementOf(row)]
    const isRepeated = mayHaveSeen(row[EXTERNAL_ID_POSITION] ?? '')
    if (isRepeated) summary.hasRepeats = true
    const date = row[DATE_POSITION] ?? ''
    summary.months.add(`${date.slice(0, 7)}-01`)
    if (date < summary.earliest) summary.earliest = date
    if (date > summary.latest) summary.latest = date
    if (row[PRICE_POSITION]?.startsWith('-') === true) summary.hasNegativePrices = true
    const referenceTexts = summary.references === before ? NO_REFERENCE_TEXTS : REFERENCE_POSITIONS.map((at) => row[at] ?? null)
    return [
      String(line.line),
      null,
      ...references,
      ...referenceTexts,
      isRepeated ? YES : null,
      ...VALUE_POSITIONS.map((at) => row[at] ?? null),
    ]
  }

  return { summary, toStagingRow }
}
