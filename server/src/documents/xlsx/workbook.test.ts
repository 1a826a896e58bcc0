import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import readExcelFile from 'read-excel-file/node'
import { expect, onTestFinished, test } from 'vitest'
import { readWorkbook } from '../../../test/support/workbook.ts'
import type { WorkbookCell } from '../report-document.ts'
import { MAX_WORKBOOK_ROWS, workbookChunks } from './workbook.ts'

const COLUMNS = [
  { heading: 'Name & <kind>', width: 20 },
  { heading: 'Price', width: 12, format: '#,##0.00' },
  { heading: 'Day', width: 12, isDay: true },
]

const writeWorkbook = async (rows: Iterable<readonly WorkbookCell[]>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of workbookChunks({ sheet: 'A "sheet"', columns: COLUMNS, rows })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('[RPT-04] texts, numbers, days and empty cells stand in the sheet as such, whatever letters they have', async () => {
  const rows = [
    ['=1+1 <&> "q" \u{0} \u{1f600}', 1.005, '2026-02-28'],
    [null, -3, null],
    ['  spaced  ', null, '1900-03-01'],
  ]
  const { sheet, rows: read, isHeadFrozen } = readWorkbook(await writeWorkbook(rows))
  expect([sheet, isHeadFrozen]).toEqual(['A "sheet"', true])
  expect(read.map((row) => [0, 1, 2].map((at) => row[at]?.value ?? null))).toEqual([
    ['Name & <kind>', 'Price', 'Day'],
    ['=1+1 <&> "q"  \u{1f600}', 1.005, 46_081],
    [null, -3, null],
    ['  spaced  ', null, 61],
  ])
  expect(read[1]?.map((cell) => cell.format)).toEqual([null, '#,##0.00', 'yyyy-mm-dd'])
})

test('[RPT-04] a reader that is not the writer finds the same in the sheet', async () => {
  const rows = [
    ['=1+1 <&> "q" \u{1f600}', 1.005, '2026-02-28'],
    [null, -3, null],
    ['plain', null, '1900-03-01'],
  ]
  const [sheet] = await readExcelFile(await writeWorkbook(rows), { dateFormat: 'yyyy-mm-dd' })
  expect(sheet).toEqual({
    sheet: 'A "sheet"',
    data: [
      ['Name & <kind>', 'Price', 'Day'],
      ['=1+1 <&> "q" \u{1f600}', 1.005, new Date('2026-02-28')],
      [null, -3, null],
      ['plain', null, new Date('1900-03-01')],
    ],
  })
})

test('[RPT-04] sixty thousand rows are written, each in its place', async () => {
  function* many(): Generator<WorkbookCell[]> {
    for (let at = 0; at < 60_000; at += 1) yield [`line ${at}`, at / 4, '2026-01-01']
  }
  const { rows } = readWorkbook(await writeWorkbook(many()))
  expect(rows).toHaveLength(60_001)
  expect([rows[1]?.[0]?.value, rows[60_000]?.[0]?.value, rows[60_000]?.[1]?.value]).toEqual(['line 0', 'line 59999', 14_999.75])
})

test('more rows than a sheet has are refused in words, and what goes wrong with the rows comes out at the reader', async () => {
  function* tooMany(): Generator<WorkbookCell[]> {
    for (let at = 0; at < MAX_WORKBOOK_ROWS; at += 1) yield []
  }
  await expect(writeWorkbook(tooMany())).rejects.toThrow('an Excel sheet has 1048576 rows at most')
  function* broken(): Generator<WorkbookCell[]> {
    yield ['one', 1, null]
    throw new Error('the rows ended early')
  }
  await expect(writeWorkbook(broken())).rejects.toThrow('the rows ended early')
})

test('a reader who leaves stops the writing', async () => {
  let rowsRead = 0
  function* endless(): Generator<WorkbookCell[]> {
    for (;;) yield [`${(rowsRead += 1) * 7919} line`, rowsRead, null]
  }
  for await (const chunk of workbookChunks({ sheet: 'Endless', columns: COLUMNS, rows: endless() })) {
    expect(chunk.length).toBeGreaterThan(0)
    if (rowsRead > 50_000) break
  }
  const rowsReadAtBreak = rowsRead
  await new Promise((resolve) => setImmediate(resolve))
  expect(rowsRead).toBeLessThan(rowsReadAtBreak + 2_000)
})

/** LibreOffice, when it is installed. */
const OFFICE = 'soffice'
const hasLibreOffice = spawnSync(OFFICE, ['--version']).error === undefined
if (!hasLibreOffice)
  console.warn('LEFT OUT: the workbook as LibreOffice reads it. This machine has no soffice; the reader of test-workbook.ts reads it.')

test.runIf(hasLibreOffice)('[RPT-04] LibreOffice reads from the sheet what was written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-office-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const rows: WorkbookCell[][] = [
    ['=1+1 <&> "q", \u{1f600} \u{e9}', 1_234.005, '2026-02-28'],
    [null, -3, null],
    ['  spaced  ', null, '1900-03-01'],
    ...Array.from({ length: 2_000 }, (_, at): WorkbookCell[] => [`line ${at}`, at / 4, '2026-10-31']),
  ]
  writeFileSync(join(folder, 'report.xlsx'), await writeWorkbook(rows))
  execFileSync(
    OFFICE,
    [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--convert-to',
      'csv:Text - txt - csv (StarCalc):44,34,76',
      'report.xlsx',
    ],
    { cwd: folder, stdio: 'ignore' },
  )
  const lines = readFileSync(join(folder, 'report.csv'), 'utf8').trimEnd().split('\n')
  expect(lines.slice(0, 5)).toEqual([
    'Name & <kind>,Price,Day',
    '"=1+1 <&> ""q"", \u{1f600} \u{e9}","1,234.01",2026-02-28',
    ',-3.00,',
    '  spaced  ,,1900-03-01',
    'line 0,0.00,2026-10-31',
  ])
  expect([lines.length, lines.at(-1)]).toEqual([2_004, 'line 1999,499.75,2026-10-31'])
})
