import { type ColumnSource, parquetWriteBuffer, schemaFromColumnData } from 'hyparquet-writer'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { BadRows } from '../staging/row-report.ts'
import { type FocusImport, importFocus } from './import-focus.service.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())

const ROWS = 25_000

/** A file of the types that providers write: decimals, instants, text with a dictionary, and tags as a map. */
const parquetFile = (changed: Readonly<Record<string, ColumnSource['data']>> = {}): Buffer => {
  const rows = Array.from({ length: ROWS }, (_, at) => at)
  const instants = (iso: string) => rows.map(() => BigInt(Date.parse(iso)) * 1_000n)
  const data: Record<string, ColumnSource['data']> = {
    BilledCost: rows.map((at) => BigInt(at) * 10n ** 12n + 1n),
    BillingAccountId: rows.map(() => '70001'),
    BillingCurrency: rows.map(() => 'USD'),
    BillingPeriodStart: instants('2024-09-01T00:00:00Z'),
    BillingPeriodEnd: instants('2024-10-01T00:00:00Z'),
    ChargeCategory: rows.map((at) => (at === 7 ? 'Tax' : 'Usage')),
    ChargePeriodStart: instants('2024-09-18T22:00:00Z'),
    ConsumedQuantity: rows.map(() => 1.5),
    InvoiceId: rows.map((at) => (at < 10 ? 'INV-9' : null)),
    ServiceName: rows.map(() => 'Queues'),
    SubAccountId: rows.map((at) => `50${at % 3}`),
    Tags: rows.map((at) => (at % 2 === 0 ? { CostCenter: 'CC-5' } : null)),
    x_Row: rows.map((at) => at),
    ...changed,
  }
  const columnData = Object.entries(data).map(([name, values]) => ({ name, data: values }))
  const instant = (name: string) => ({ name, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'OPTIONAL' }) as const
  const decimal = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL', precision: 38, scale: 18 } as const
  const plain = columnData.filter(({ name }) => name !== 'Tags')
  const [root, ...columns] = schemaFromColumnData({
    columnData: plain,
    schemaOverrides: {
      BilledCost: { name: 'BilledCost', repetition_type: 'OPTIONAL', ...decimal },
      ...Object.fromEntries(['BillingPeriodStart', 'BillingPeriodEnd', 'ChargePeriodStart'].map((name) => [name, instant(name)])),
    },
  })
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
  const schema = [
    { ...root, name: 'root', num_children: columnData.length },
    ...columns,
    { name: 'Tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'MAP' } as const,
    { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 } as const,
    { name: 'key', repetition_type: 'REQUIRED', ...text } as const,
    { name: 'value', repetition_type: 'OPTIONAL', ...text } as const,
  ]
  const tags = columnData.filter(({ name }) => name === 'Tags')
  return Buffer.from(parquetWriteBuffer({ columnData: [...plain, ...tags], schema, rowGroupSize: 12_000 }))
}

const said: string[] = []
const load = (bytes: Buffer, reseller: string): Promise<FocusImport> => {
  const file = {
    bytes: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += 65_521) yield bytes.subarray(at, at + 65_521)
    },
  }
  const progress = (words: string) => void said.push(words)
  return importFocus(context, [file], { reseller, brand: 'Aspen', create: true, skipBad: false, dryRun: false, progress })
}

const queryRows = async (resellerId: number, query: string): Promise<Record<string, unknown>[]> =>
  context.store.transact(
    { role: 'counterfoil_reseller', resellerId },
    async (db) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows,
  )

test('[OPS-03] a Parquet file becomes what the same file in CSV would: exact amounts, instants, tags, taxes, invoices; twice changes nothing', async () => {
  const bytes = parquetFile()
  const imported = await load(bytes, 'Aspen')
  // 0 + 1 + … + 24,999 millionths, and 10^-18 for each row
  expect(imported).toMatchObject({
    version: '1.2',
    rows: ROWS,
    newRows: ROWS,
    taxRows: 1,
    sum: '312.487500000000025',
    invoices: 6,
    notes: [],
  })
  expect(said).toEqual([
    'Checked 10,000 rows (40%) …',
    'Checked 20,000 rows (80%) …',
    'Checked 25,000 rows.',
    'Loaded 10,000 rows (40%) …',
    'Loaded 20,000 rows (80%) …',
    'Loaded 25,000 rows.',
    'Making the invoices …',
  ])
  expect(
    await queryRows(
      imported.reseller.id,
      `select price::text, units::text, cost_centre, extras, usage_at = '2024-09-18T22:00:00Z' as is_utc from usage_record where price between 0.024997 and 0.0249981 order by price`,
    ),
  ).toEqual([
    { price: '0.024997000000000001', units: '1.5', cost_centre: null, extras: { x_Row: '24997' }, is_utc: true },
    { price: '0.024998000000000001', units: '1.5', cost_centre: 'CC-5', extras: { x_Row: '24998' }, is_utc: true },
  ])
  expect(await load(bytes, 'Aspen')).toMatchObject({ rows: ROWS, newRows: 0, invoices: 6 })
})

test('[OPS-03] bad rows of a Parquet file are named by their number, and one that is cut leaves nothing', async () => {
  const currencies = Array.from({ length: ROWS }, (_, at) => (at === 20_500 ? 'Euro' : 'USD'))
  const error = await load(parquetFile({ BillingCurrency: currencies }), 'Aspen bad').catch((found: unknown) => found)
  expect(error).toBeInstanceOf(BadRows)
  expect((error as BadRows).found.firstRejected).toEqual([
    { line: 20_501, reason: 'BillingCurrency: "Euro" is not a currency of ISO 4217' },
  ])
  const whole = parquetFile()
  await expect(load(whole.subarray(0, whole.length - 1), 'Aspen bad')).rejects.toThrow('The file is Parquet, and cut or damaged')
  expect(
    await context.store.transact({ role: 'counterfoil_system' }, (db) =>
      db.selectFrom('reseller').select('id').where('name', '=', 'Aspen bad').execute(),
    ),
  ).toEqual([])
})
