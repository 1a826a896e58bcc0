import { TEXT_FIELDS, type UsageField } from './usage-fields.rules.ts'

/** A record of a file; a missing field has its default. */
export type SampleRecord = Partial<Record<UsageField, string>>

const DEFAULTS: Readonly<Record<UsageField, string>> = {
  externalId: 'cdr-1',
  customer: 'C1',
  date: '2026-10-05T08:30:00Z',
  service: 'VOICE',
  recordType: 'National call',
  agreement: '',
  serviceItem: '',
  ...(Object.fromEntries(TEXT_FIELDS.map((field) => [field, ''])) as Record<(typeof TEXT_FIELDS)[number], string>),
  costCentre: '',
  units: '2.5',
  price: '0.35',
}
export const COLUMNS = Object.keys(DEFAULTS) as UsageField[]

const quoteCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The text of a CSV file of these records; a record without an id is numbered by its position. */
export const usageCsv = (records: readonly SampleRecord[], columns: readonly string[] = COLUMNS, lineEnd = '\n'): string =>
  [columns, ...records.map((record, at) => cells(record, at, columns))].map((line) => `${line.map(quoteCell).join(',')}${lineEnd}`).join('')

/** The cells of a record, with defaults for what it lacks. */
const cells = (record: SampleRecord, at: number, columns: readonly string[]): string[] => {
  const complete: Readonly<Record<string, string>> = { ...DEFAULTS, externalId: `cdr-${at + 1}`, ...record }
  return columns.map((column) => complete[column] ?? '')
}

/** The records as the text of a file of JSON lines, without empty fields. */
export const usageJson = (records: readonly SampleRecord[]): string =>
  records
    .map((record, at) => {
      const fields = Object.entries({ ...DEFAULTS, externalId: `cdr-${at + 1}`, ...record }).filter(([, value]) => value !== '')
      return `${JSON.stringify(Object.fromEntries(fields))}\n`
    })
    .join('')
