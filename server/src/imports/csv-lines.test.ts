import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AfterDamage, type CsvRecord, csvLines } from './csv-lines.ts'
import { textLines } from './text-lines.ts'

const recordsOf = async (text: string, afterDamage: AfterDamage, pieceBytes: number): Promise<CsvRecord[]> => {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const csv = csvLines(afterDamage)
  const records: CsvRecord[] = []
  for await (const lines of textLines(pieces())) records.push(...csv.read(lines))
  return [...records, ...csv.rest()]
}

const pieceBytes = fc.integer({ min: 1, max: 9 })
const text = (...parts: string[]) => fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((found) => found.join(''))

const isBlank = (fields: readonly string[]): boolean => fields.length === 1 && fields[0]?.trim() === ''

test('[OPS-03] whatever the file, a quoted text ends and a row is damaged where csv-parse says so', async () => {
  const anyFile = text('a', 'ü', ',', ',', '"', '"', '""', '\n', '\n', '\r', '\r\n')
  await fc.assert(
    fc.asyncProperty(anyFile, pieceBytes, async (found, bytes) => {
      const file = found.replaceAll(/"\r+(?=\r\n|$)/g, '"') // the CR too many that this reader forgives
      let damaged = 0
      const rows = parse(file, {
        record_delimiter: ['\r\n', '\n'],
        relax_column_count: true,
        skip_empty_lines: true,
        skip_records_with_error: true,
        on_skip: () => void (damaged += 1),
      })
      const records = await recordsOf(file, 'closing quote', bytes)
      const fields = records.flatMap((record) => ('fields' in record ? [record.fields] : []))
      expect(fields.filter((row) => !isBlank(row))).toEqual(rows.filter((row) => !isBlank(row)))
      expect(records.some((record) => 'reason' in record)).toBe(damaged > 0)
    }),
    { numRuns: 5_000 },
  )
})

test.each<AfterDamage>(['closing quote', 'next line'])(
  '[OPS-03] every text comes out as it was quoted, and every row has the line that it begins on (%s)',
  async (afterDamage) => {
    const field = text('a', 'ü', ',', '"', '\n', '\r', '\r\n')
    const file = fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(file, pieceBytes, fc.constantFrom('\n', '\r\n'), async (rows, bytes, lineEnd) => {
        const quoted = rows.map((row) => row.map((found) => `"${found.replaceAll('"', '""')}"`).join(',') + lineEnd)
        const expected = rows.map((fields, at) => ({ line: quoted.slice(0, at).join('').split('\n').length, fields }))
        expect(await recordsOf(quoted.join(''), afterDamage, bytes)).toEqual(expected)
      }),
      { numRuns: 1_000 },
    )
  },
)
