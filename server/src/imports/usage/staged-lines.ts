import type { LoadRow } from '../../db/copy-in.ts'
import { seenBefore } from './seen-before.ts'
import { USAGE_FIELDS, type UsageField } from './usage-fields.rules.ts'
import type { UsageLine } from './usage-rows.ts'

const placesOf = (fields: readonly UsageField[]): readonly number[] => fields.map((field) => USAGE_FIELDS.indexOf(field))

/** What a line refers to, in the words of its fields. */
const WORDS_AT = placesOf(['customer', 'service', 'recordType', 'agreement', 'serviceItem'])
/** The rest of a line, in the order of the staging. */
const OWN_AT = placesOf(['externalId', 'date', 'serviceItem2', 'serviceItem3', 'site', 'costCentre', 'units', 'price'])
const [EXTERNAL_ID_AT = 0, DATE_AT = 0, AGREEMENT_AT = 0] = placesOf(['externalId', 'date', 'agreement'])

/** So many things of a kind are remembered; those that come after are given new numbers, which costs time and changes nothing. */
const MOST_KNOWN = 100_000
const NO_WORDS = WORDS_AT.map(() => null)
const NOTHING = [null, null, null, ...NO_WORDS, null, ...OWN_AT.map(() => null)]
const YES = 't'
/** No field holds this character. */
const BETWEEN = '\0'

/** What came of the lines of a file. */
interface FoundInLines {
  /** Records, and lines that are none. */
  lines: number
  /** Different things that they refer to. */
  references: number
  hasBadLines: boolean
  /** May an external id have come twice? */
  hasRepeats: boolean
  /** Months that records lie in: their first days. */
  readonly months: Set<string>
}

/** Turns lines of a file into rows of the staging. */
export interface StagedLines {
  rows(lines: readonly UsageLine[]): LoadRow[]
  readonly found: FoundInLines
}

/** Gives each thing that lines refer to one number, so that it is looked up once; in memory that does not grow with the file. */
export const stagedLines = (): StagedLines => {
  const found: FoundInLines = { lines: 0, references: 0, hasBadLines: false, hasRepeats: false, months: new Set() }
  const wasSeen = seenBefore()
  const numbers = (fields: readonly UsageField[]): ((row: LoadRow) => string) => {
    const known = new Map<string, string>()
    const places = placesOf(fields)
    return (row) => {
      let key = ''
      for (const at of places) key += (row[at] ?? '') + BETWEEN
      const number = known.get(key)
      if (number !== undefined) return number
      if (known.size >= MOST_KNOWN) known.clear()
      found.references += 1
      const next = String(found.references)
      known.set(key, next)
      return next
    }
  }
  const itemOf = numbers(['customer', 'service', 'serviceItem'])
  const typeOf = numbers(['service', 'recordType'])
  const agreementOf = numbers(['customer', 'agreement'])

  const rowOf = (line: UsageLine): LoadRow => {
    found.lines += 1
    if ('reason' in line) {
      found.hasBadLines = true
      return [String(line.line), line.reason, ...NOTHING]
    }
    const { row } = line
    const before = found.references
    const references = [itemOf(row), typeOf(row), row[AGREEMENT_AT] === null ? null : agreementOf(row)]
    const isAgain = wasSeen(row[EXTERNAL_ID_AT] ?? '')
    if (isAgain) found.hasRepeats = true
    found.months.add(`${row[DATE_AT]?.slice(0, 7)}-01`)
    const words = found.references === before ? NO_WORDS : WORDS_AT.map((at) => row[at] ?? null)
    return [String(line.line), null, ...references, ...words, isAgain ? YES : null, ...OWN_AT.map((at) => row[at] ?? null)]
  }

  return { found, rows: (lines) => lines.map(rowOf) }
}
