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

const isBlank = (fields: readonly string[]): boolean => fields.every((field) => field.trim() === '')
/** By which a file's lines end with LF, its separator is a comma, and no row is the header again. */
const HEADER = 'x,y,z\n'

test('[OPS-03] whatever the file, a quoted text ends and a row is damaged where csv-parse says so', async () => {
  const anyFile = text('a', 'ü', ',', ',', '"', '"', '""', '\n', '\n', '\r', '\r\n')
  await fc.assert(
    fc.asyncProperty(anyFile, pieceBytes, async (found, bytes) => {
      const file = HEADER + found.replaceAll(/"\r+(?=\r\n|$)/g, '"') // the CR too many that this reader forgives
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
        const expected = rows.map((fields, at) => ({ line: quoted.slice(0, at).join('').split('\n').length + 1, fields }))
        expect((await recordsOf(HEADER + quoted.join(''), afterDamage, bytes)).slice(1)).toEqual(
          expected.filter(({ fields }) => !isBlank(fields)),
        )
      }),
      { numRuns: 1_000 },
    )
  },
)

const SPREADSHEETS: readonly [string, string, string][] = [
  ['semicolons', 'x;y\n1,5;a\n"2;5";b\n', '1,5 a|2;5 b'],
  ['tabs', 'x\ty\n1,5\ta;b\n', '1,5 a;b'],
  ['commas, though a name holds a semicolon', 'x,"y;y;y",z\n1,2,3\n', '1 2 3'],
  ['lines that end with CR', 'x,y\r1,"a\nb"\r\r2,b\r', '1 a\nb|2 b'],
  ['a CR that begins a file of LF', 'x,"y\r"\n1,a\rb\n', '1 a\rb'],
  ['rows of separators alone', 'x,y\n,\n1,2\n , \n"",\n3,\n,4\n', '1 2|3 | 4'],
  ['a second file behind the first, with its mark and its header', '\uFEFF"x","y"\n1,2\n\uFEFF"x","y"\n3,4\n', '1 2|3 4'],
  ['a row of separators before the header, which comes again', ',\nx,y\n1,2\nx,y\n3,4\n', '1 2|3 4'],
  ['the same without quotes', '\uFEFFx;y\r\n1;2\r\n\uFEFFx;y\r\n3;4\r\n', '1 2|3 4'],
]

test.each(SPREADSHEETS)('[OPS-03] a CSV file as spreadsheets save it is read: %s', async (_what, file, rows) => {
  for (const pieceBytes of [1, 2, 3, 100])
    for (const afterDamage of ['closing quote', 'next line'] as const) {
      const records = (await recordsOf(file, afterDamage, pieceBytes)).slice(1)
      expect(records.map((record) => ('fields' in record ? record.fields.join(' ') : record.reason)).join('|')).toBe(rows)
    }
})
