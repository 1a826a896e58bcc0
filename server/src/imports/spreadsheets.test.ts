import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, runJsonCommand } from '../../test/support/operator.ts'
import { addBrand, addReseller } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { IMPORT_KINDS } from './records/kinds.data.ts'

const SAMPLES = fileURLToPath(new URL('../../../docs/samples/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-spreadsheets-'))

let context: TestContext
beforeAll(async () => {
  context = await testContext()
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true })
})

const save = (content: string | Uint8Array): string => {
  const path = join(folder, 'saved.csv')
  writeFileSync(path, content)
  return path
}
const words = (kind: string, path: string): string[] => [
  'import',
  kind,
  path,
  '--reseller',
  'Example Telecom',
  ...(kind === 'focus' ? ['--brand', 'Example'] : []),
]

/** A sample as a spreadsheet saves it where decimals have a comma: marked, with empty columns and rows. */
const asSpreadsheet = (kind: string, separator: string, lineEnd: string): string => {
  const [header = [], ...rows] = parse(readFileSync(`${SAMPLES}${kind}.csv`)) as string[][]
  const width = header.length
  const localized = rows.map((row) =>
    row.map((field) => (kind !== 'focus' && /^-?\d+\.\d+$/.test(field) ? field.replace('.', ',').replace(/,\d{3}$/, '$&0') : field)),
  )
  return `\uFEFF${[header, [], ...localized, [], []]
    .map((row) =>
      Array.from({ length: width + 2 }, (_, at) => `"${(row[at] ?? '').replaceAll('"', '""')}"`).map((cell) => (cell === '""' ? '' : cell)),
    )
    .map((cells) => cells.join(separator) + lineEnd)
    .join('')}`
}

test('[OPS-03] every kind is read as spreadsheets save it, and says the same as the plain file', async () => {
  await addBrand(context, await addReseller(context, { name: 'Example Telecom' }), { name: 'Example' })
  const [kinds, FORMS] = [
    [...IMPORT_KINDS.map(({ name }) => name), 'usage', 'focus'],
    [
      [';', '\r\n'],
      ['\t', '\r'],
      [',', '\n'],
    ] as const,
  ]
  for (const kind of kinds) await runJsonCommand(context, ...words(kind, `${SAMPLES}${kind}.csv`))
  for (const [separator, lineEnd] of FORMS)
    for (const kind of kinds) {
      const path = save(asSpreadsheet(kind, separator, lineEnd))
      const again = await runJsonCommand<Record<string, unknown>>(context, ...words(kind, path))
      expect(again, `${kind} ${separator}`).toMatchObject({ rows: expect.any(Number) as number, importId: null })
    }
})

test.each([
  ['12,5', '12.5'],
  ['1.234,56', '1234.56'],
  ['1,234.56', '1234.56'],
  ['1.234.567', '1234567'],
  ['1 234,5', '1234.5'],
  ['1\u00A0234\u00A0567', '1234567'],
  ["1'234.5", '1234.5'],
  ['0,125', '0.125'],
  ['1,25E-02', '0.0125'],
  ['1,234', null],
  ['1.234', null],
  ['12.345', null],
])('[OPS-03] a number with semicolons around it: %s is %s', async (written, value) => {
  const name = `Bakery ${written}`
  const reseller = await addReseller(context, { name })
  await addBrand(context, reseller, { name: 'Example' })
  const load = (kind: string, text: string) => runCommand(context, 'import', kind, save(text), '--reseller', name)
  await load('customers', 'externalId;name;brand\nC1;Mill Lane;Example\n')
  const { exit, err } = await load('data-usage', `customer;date;gigabytes\nC1;2026-10-01;${written}\n`)
  expect([exit, err]).toEqual(
    value === null
      ? [
          1,
          expect.stringContaining(
            `gigabytes: "${written}" can mean ${written.replace(',', '.')} or ${written.replace(/[.,]/, '')};`,
          ) as string,
        ]
      : [0, ''],
  )
  if (value === null) return
  const again = await runJsonCommand(
    context,
    'import',
    'data-usage',
    save(`{"customer":"C1","date":"2026-10-01","gigabytes":"${value}"}\n`),
    '--reseller',
    name,
  )
  expect(again).toMatchObject({ unchanged: 1 })
})

test.each(['customers', 'usage', 'focus'])('[OPS-03] import %s says of a workbook and of UTF-16 how to save it', async (kind) => {
  const archive = (name: string): Buffer =>
    Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(26), Buffer.from(name), Buffer.alloc(200)])
  const readError = async (content: Uint8Array): Promise<string> => (await runCommand(context, ...words(kind, save(content)))).err
  for (const name of ['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet'])
    expect(await readError(archive(name))).toBe(
      'The file is a workbook, not CSV. In the spreadsheet, save the sheet as "CSV UTF-8", and import that.',
    )
  expect(await readError(archive('usage.csv'))).toBe('The file is a ZIP archive. Take the file out of it first.')
  expect(await readError(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]))).toMatch(/^The file is a workbook/)
  expect(await readError(Buffer.from('\uFEFFa\tb\n', 'utf16le'))).toMatch(/^The file is text in UTF-16/)
})
