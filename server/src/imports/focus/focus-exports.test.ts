import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { addBrand, addReseller } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { exactSum, focusCsv, type SampleRow } from './focus-sample.data.ts'
import type { FocusImport } from './import-focus.service.ts'

let context: TestContext
let resellerId: number
let folder: string
const base = mkdtempSync(join(tmpdir(), 'counterfoil-exports-'))
let run = 0

beforeAll(async () => {
  context = await testContext()
})
afterAll(async () => {
  await context.close()
  rmSync(base, { recursive: true })
})
beforeEach(async () => {
  run += 1
  folder = join(base, String(run))
  resellerId = await addReseller(context, { name: `Exports ${run}` })
  await addBrand(context, resellerId, { name: 'Oak' })
})

const write = (path: string, content: string | Uint8Array): string => {
  const full = join(folder, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, content)
  return full
}
const words = (...paths: string[]): string[] => ['import', 'focus', ...paths, '--reseller', `Exports ${run}`, '--brand', 'Oak']
const load = (...paths: string[]): Promise<FocusImport> => runJsonCommand<FocusImport>(context, ...words(...paths))
const readError = async (...paths: string[]): Promise<string> => (await runCommand(context, ...words(...paths))).err
const queryRows = (query: string): Promise<Record<string, unknown>[]> =>
  context.store.transact(
    { role: 'counterfoil_reseller', resellerId },
    async (db) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows,
  )
const usageRows = async (): Promise<unknown> => (await queryRows('select count(*)::int as n from usage_record'))[0]?.['n']

const EQUAL = { Id: 'equal', BilledCost: '0.10' }
/** Two parts that have an equal row in common, of which the second has two. */
const PARTS = [focusCsv([{ BilledCost: '1' }, EQUAL]), focusCsv([EQUAL, EQUAL, { BilledCost: '2' }])] as const

test.each<[string, (first: string | Uint8Array, second: string | Uint8Array) => string[]]>([
  ['named one by one', (first, second) => [write('a/1.csv', first), write('b/2.csv', second)]],
  [
    'in a folder, with what does not belong to it',
    (first, second) => {
      write('export/day=1/part-1.csv', first)
      write('export/day=2/part-1.csv', second)
      for (const other of ['export/_SUCCESS', 'export/.part.csv.crc', 'export/.tmp.csv', 'export/read me.txt']) write(other, 'x')
      return [join(folder, 'export')]
    },
  ],
  [
    'by a manifest beside them',
    (first, second) => {
      write('parts/part_0_0001.csv.gz', gzipSync(first))
      write('parts/part_1_0001.csv', second)
      write('parts/old.csv', focusCsv([{ BilledCost: '999' }]))
      const blobs = ['part_0_0001.csv.gz', 'part_1_0001.csv'].map((name) => ({ blobName: `exports/2024/run/${name}`, dataRowCount: 2 }))
      return [write('parts/manifest.json', JSON.stringify({ manifestVersion: '2024-04-01', blobs }))]
    },
  ],
  [
    'by a manifest in a folder of its own, files of one name in several folders',
    (first, second) => {
      write('bill/data/BILLING_PERIOD=2024-09/bill-00001.csv.gz', gzipSync(first))
      write('bill/data/BILLING_PERIOD=2024-10/bill-00001.csv.gz', gzipSync(second))
      const dataFiles = ['09', '10'].map((month) => `s3://bucket/prefix/bill/data/BILLING_PERIOD=2024-${month}/bill-00001.csv.gz`)
      return [write('bill/metadata/BILLING_PERIOD=2024-09/bill-Manifest.json', JSON.stringify({ dataFiles }))]
    },
  ],
])('[OPS-03] the files of an export %s are one import, with one undo; equal rows of two files are two', async (_how, lay) => {
  const imported = await load(...lay(...PARTS))
  expect(imported).toMatchObject({ rows: 5, newRows: 5, sum: '3.3', invoiceSum: '3.30', invoices: 1 })
  expect(await usageRows()).toBe(5)
  expect(await load(...lay(...PARTS))).toMatchObject({ newRows: 0, importId: null })
  expect(await load(write('swapped/1.csv', PARTS[1]), write('swapped/2.csv', PARTS[0]))).toMatchObject({ newRows: 0 })
  expect((await runCommand(context, 'import', 'undo', String(imported.importId), '--yes')).exit).toBe(0)
  expect(await usageRows()).toBe(0)
})

test('[OPS-03] bad rows of an export are named by file and line, and all of its files count for a customer’s currency', async () => {
  const [first, second] = [write('1.csv', focusCsv([{}])), write('2.csv', focusCsv([{ BilledCost: 'x' }, { BillingCurrency: 'EUR' }]))]
  expect(await readError(first, second)).toBe(
    [
      '2.csv, line 2: BilledCost: "x" is not a number',
      '2.csv, line 3: BillingCurrency: EUR, but customer 501 is billed in USD',
      '2 bad rows in the file; nothing was imported. --skip-bad imports the others.',
    ].join('\n'),
  )
  expect(await readError(first, write('3.csv', 'BilledCost\n1\n'))).toMatch(/^3\.csv: line 1: the header lacks BillingAccountId/)
})

test('[OPS-03] an export that would be billed in part or twice is refused', async () => {
  const first = write('1.csv', PARTS[0])
  symlinkSync(first, join(folder, 'link.csv'))
  expect(await readError(first, first)).toBe(`${first} is named twice; its rows would be billed twice.`)
  expect(await readError(first, join(folder, 'link.csv'))).toMatch(/link\.csv is named twice/)
  expect(await readError(write('m/manifest.json', '{"dataFiles":["s3://b/x/gone.csv.gz"]}'))).toMatch(
    /lists s3:\/\/b\/x\/gone\.csv\.gz, which is not there; the export would be billed in part\.$/,
  )
  expect(await readError(write('m/empty.json', '{}'))).toMatch(/lists no file/)
  expect(await readError(write('m/none.json', 'x'))).toMatch(/it is not JSON/)
  write('forms/bill.csv', PARTS[0])
  write('forms/bill.csv.gz', gzipSync(PARTS[0]))
  expect(await readError(join(folder, 'forms'))).toMatch(/holds bill\.csv\.gz in another form too/)
  for (const name of ['bill', 'bill (1)']) write(`copies/${name}.csv`, PARTS[0])
  expect(await readError(join(folder, 'copies'))).toMatch(
    /bill \(1\)\.csv and bill\.csv have the same content; their rows would be billed twice/,
  )
  write('az/part_0_0001.csv', PARTS[0])
  expect(await readError(write('az/run2/manifest.json', '\uFEFF{"blobs":[{"blobName":"exports/x/run2/part_0_0001.csv"}]}'))).toMatch(
    /lists exports\/x\/run2\/part_0_0001\.csv, which is not there/,
  )
  for (const day of ['1', '2']) write(`runs/${day}/manifest.json`, '{}')
  expect(await readError(join(folder, 'runs'))).toMatch(/holds several manifests/)
  mkdirSync(join(folder, 'nothing'))
  expect(await readError(join(folder, 'nothing'))).toMatch(/holds no file that ends in/)
})

test('[OPS-03] parts without rows, of which an export may have several, are no copies of one another', async () => {
  const [header = ''] = focusCsv([{}]).split('\n')
  for (const part of ['2', '3']) write(`parts/${part}.csv`, `${header}\n`)
  for (const part of ['4', '5']) write(`parts/${part}.csv`, '')
  write('parts/1.csv', PARTS[0])
  expect(await load(join(folder, 'parts'))).toMatchObject({ rows: 2, sum: '1.1' })
})

test('[OPS-03] a file whose lines end with CR alone is whole', async () => {
  expect((await load(write('mac.csv', focusCsv([{}]).replaceAll('\n', '\r')))).notes).toEqual([])
})

test('[OPS-03] numbers as exporters write them: doubles, and more decimals than are kept, which are rounded half to even, counted and told', async () => {
  const costs = [
    '1.1111111111111112e-07',
    '0.0000000000000000005',
    '0.0000000000000000015',
    '-0.00000000000000000250000001',
    '1e-300',
    '2.5E+2',
  ]
  const kept = ['0.000000111111111111', '0', '0.000000000000000002', '-0.000000000000000003', '0', '250']
  const rows: SampleRow[] = costs.map((BilledCost, at) => ({
    BilledCost,
    ConsumedQuantity: at === 0 ? '3.4e+21' : '0.33333333333333333333',
  }))
  const file = write('doubles.csv', focusCsv(rows))
  const { exit, out } = await runCommand(context, ...words(file), '--dry-run')
  expect([exit, out]).toEqual([
    0,
    expect.stringContaining(
      'Note: Numbers with more than 18 decimals were rounded to these, half to even: 5 of BilledCost, 5 of ConsumedQuantity.',
    ) as string,
  ])
  expect(await load(file)).toMatchObject({ rows: 6, rounded: { BilledCost: 5, ConsumedQuantity: 5 }, sum: exactSum(kept) })
  expect((await queryRows('select price::text from usage_record order by id')).map(({ price }) => price)).toEqual(kept)
  expect(await queryRows('select max(units)::text as most, min(units)::text as least from usage_record')).toEqual([
    { most: '3400000000000000000000', least: '0.333333333333333333' },
  ])
  expect(await load(file)).toMatchObject({ newRows: 0 })
})

test.each([
  ['{"CostCenter": "CC-1"}', 'CC-1'],
  ['[{"Key": "env", "Value": "prod"}, {"Key": "user:cost-centre", "Value": "CC-2"}]', 'CC-2'],
  ['[{"name": "costcenter", "value": 7}]', '7'],
  ['[{"CostCentre": "CC-3"}]', 'CC-3'],
  ['"env": "prod", "CostCenter": "CC-4"', 'CC-4'],
  ['[]', null],
  ['{}', null],
  ['{"a": ', undefined],
  ['env=prod;CostCenter=CC-5', undefined],
  ['["a"]', undefined],
  [`{"CostCenter": "${'x'.repeat(300)}"}`, undefined],
])('[OPS-03] tags %s give the cost centre %s, and what cannot be read is told and refuses nothing', async (Tags, costCentre) => {
  const { notes } = await load(write('tags.csv', focusCsv([{}, { Tags }])))
  expect(await queryRows('select max(cost_centre) as found, count(*)::int as n from usage_record')).toEqual([
    { found: costCentre ?? null, n: 2 },
  ])
  expect(notes).toEqual(
    costCentre === undefined ? ['The Tags of 1 row cannot be read, so that no cost centre comes of them; the first is line 3.'] : [],
  )
})

test('[OPS-03] tags of an export in several files that cannot be read are told with their file', async () => {
  const { notes } = await load(
    write('1.csv', focusCsv([{}])),
    write('2.csv', focusCsv([{}, { Tags: '{' }])),
    write('3.csv', focusCsv([{ Tags: '[' }])),
  )
  expect(notes).toEqual(['The Tags of 2 rows cannot be read, so that no cost centre comes of them; the first is line 3 of 2.csv.'])
})

test('[OPS-03] customers, services and taxes of an export that no font can print are imported, and named in the result', async () => {
  const rows = [
    { SubAccountName: '東京電力', ServiceName: 'Очереди' },
    { SubAccountName: '東京電力', ServiceName: '저장소' },
    { SubAccountName: '東京電力', ServiceName: '저장소' },
    { SubAccountName: '東京電力', ServiceName: '저장소', ChargeCategory: 'Tax', ChargeDescription: '増値税' },
  ]
  const note =
    '3 names have letters that no font here has (東 京 電 力 저 장 소 増 値 税): 東京電力, 저장소, 増値税. PDFs show □ in their place.'
  const file = write('names.csv', focusCsv(rows))
  expect(await load(file)).toMatchObject({ newRows: 4, notes: [note] })
  expect((await runCommand(context, ...words(file))).out).toContain(`Note: ${note}`)
})

test('[OPS-03] Parquet with doubles and with tags as a list of keys and values', async () => {
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const
  const texts = {
    BillingAccountId: '70001',
    BillingCurrency: 'USD',
    BillingPeriodEnd: '2024-10-01T00:00:00Z',
    BillingPeriodStart: '2024-09-01T00:00:00Z',
    ChargeCategory: 'Usage',
    ChargePeriodStart: '2024-09-18T22:00:00Z',
    ServiceName: 'Queues',
  }
  const columnData: ColumnSource[] = [
    { name: 'BilledCost', data: [1.1111111111111112e-7, 0.1] },
    { name: 'ConsumedQuantity', data: [3.4e21, 1e-7] },
    ...Object.entries(texts).map(([name, value]) => ({ name, data: [value, value] })),
    { name: 'Tags', data: [[{ key: 'CostCenter', value: 'CC-9' }], []] },
  ]
  const double = { type: 'DOUBLE', repetition_type: 'OPTIONAL' } as const
  const schema = [
    { name: 'root', num_children: columnData.length },
    { name: 'BilledCost', ...double },
    { name: 'ConsumedQuantity', ...double },
    ...Object.keys(texts).map((name) => ({ name, ...text })),
    { name: 'Tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' } as const,
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 } as const,
    { name: 'element', repetition_type: 'OPTIONAL', num_children: 2 } as const,
    { name: 'key', ...text },
    { name: 'value', ...text },
  ]
  const file = write('export.parquet', Buffer.from(parquetWriteBuffer({ columnData, schema })))
  expect(await load(file)).toMatchObject({
    rows: 2,
    sum: '0.100000111111111111',
    rounded: { BilledCost: 1 },
    notes: [expect.stringContaining('rounded') as string],
  })
  expect(await queryRows('select cost_centre, units::text from usage_record order by price')).toEqual([
    { cost_centre: 'CC-9', units: '3400000000000000000000' },
    { cost_centre: null, units: '0.0000001' },
  ])
})

test('[OPS-03] charges that may be a mistake are told: before the first period, more than a day ahead, negative usage; credits are none', async () => {
  const ahead = new Date(context.clock().getTime() + 1.1 * 86_400_000).toISOString()
  const rows = [
    {},
    { ChargePeriodStart: '2024-08-31 23:59:59' },
    { ChargePeriodStart: ahead },
    { BilledCost: '-0.5' },
    { ChargeCategory: 'Credit', BilledCost: '-1' },
  ]
  expect(await load(write('odd.csv', focusCsv(rows)))).toMatchObject({
    unusual: { beforeFirstPeriod: 1, moreThanADayAhead: 1, negativePrices: 1 },
    notes: [
      'Look at 1 row dated before the first billing period of the customer, 1 row dated more than a day ahead, 1 row with a negative price.',
    ],
  })
})
