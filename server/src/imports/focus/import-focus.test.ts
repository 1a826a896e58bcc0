import { existsSync, readFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dispatchCommand } from '../../cli/program/dispatch.ts'
import { openFileSource } from '../../cli/terminal.ts'
import { addBrand, addReseller } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { COLUMNS, exactSum, focusCsv, type SampleRow, sampleRows } from './focus-sample.data.ts'
import { BadRows } from '../staging/row-report.ts'
import { type FocusImport, type FocusOptions, importFocus } from './import-focus.service.ts'

const REAL_FILE = new URL('../../../../../shared/data/focus/focus_sample.csv', import.meta.url)

let context: TestContext
let run = 0
let reseller = ''

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())
beforeEach(() => {
  run += 1
  reseller = `Larch ${run}`
})

const toBytes = (file: string | Uint8Array): Buffer => Buffer.from(file as Uint8Array)

/** The file in small, odd pieces, so that their borders fall inside rows. */
const source = (file: string | Uint8Array, pieceBytes = 997) => {
  const bytes = toBytes(file)
  return {
    bytes: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    },
  }
}

const load = (file: string | Uint8Array, options: Partial<FocusOptions> = {}): Promise<FocusImport> =>
  importFocus(context, [source(file)], {
    reseller,
    brand: 'Larch',
    create: true,
    skipBad: false,
    dryRun: false,
    progress: () => undefined,
    ...options,
  })

/** Rows as the reseller sees them; empty when the reseller does not exist. */
const queryRows = async (query: string): Promise<Record<string, unknown>[]> => {
  const found = await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    db.selectFrom('reseller').select('id').where('name', '=', reseller).executeTakeFirst(),
  )
  if (found === undefined) return []
  return context.store.transact(
    { role: 'counterfoil_reseller', resellerId: found.id },
    async (db) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows,
  )
}

const countStagedRows = (): Promise<number> =>
  context.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { rows } = await sql<{
      count: number
    }>`select (select count(*) from focus_row) + (select count(*) from import_staging) as count`.execute(db)
    return rows[0]?.count ?? -1
  })

/** All rows that an import can write, with ids and instants. */
const everything = async (): Promise<unknown[]> => {
  const tables = [
    'brand',
    'customer',
    'agreement',
    'billing_period',
    'service',
    'record_type',
    'service_item',
    'usage_record',
    'invoice',
    'invoice_line',
    'billing_transaction',
    'opening_balance',
    'app_user',
    'user_customer',
  ]
  const all: unknown[] = []
  for (const table of tables) all.push([table, await queryRows(`select to_jsonb(t)::text as row from ${table} t order by 1`)])
  return all
}

const expectRejection = async (file: string | Uint8Array, options: Partial<FocusOptions> = {}): Promise<string[]> => {
  const error = await load(file, options).then(
    () => new Error('it was imported'),
    (error: Error) => error,
  )
  expect(await queryRows('select 1 from customer')).toEqual([])
  expect(
    await context.store.transact({ role: 'counterfoil_system' }, (db) =>
      db.selectFrom('reseller').select('id').where('name', '=', reseller).execute(),
    ),
  ).toEqual([])
  expect(await countStagedRows()).toBe(0)
  return error instanceof BadRows ? error.found.firstRejected.map(({ line, reason }) => `line ${line}: ${reason}`) : [error.message]
}

const sums = (rows: readonly SampleRow[]): string => exactSum(rows.map((row) => row['BilledCost'] ?? '0.00000080000'))

test('[OPS-03] a FOCUS file becomes customers, services, usage, invoices and a user who may act for all of them', async () => {
  const imported = await load(focusCsv(sampleRows()))
  expect(imported).toMatchObject({ rows: 60, newRows: 60, rejectedCount: 0, customers: 9, invoices: 10, username: `larch-${run}` })
  expect(imported.sum).toBe(sums(sampleRows()))
  expect(imported.password).toMatch(/^[A-Z][a-z0-9]{4}(-[a-z0-9]{5}){3}$/)
  const [stored] = await queryRows(`select count(*)::int as rows, sum(price)::text as sum from usage_record`)
  expect([stored?.['rows'], exactSum([String(stored?.['sum'])])]).toEqual([60, imported.sum])
  const links = await queryRows(
    `select c.external_id, u.selected from user_customer u join customer c on c.id = u.customer_id join app_user a on a.id = u.user_id
     where a.username = 'larch-${run}' order by c.id`,
  )
  expect(links.map((link) => link['external_id'])).toEqual(['501', '502', '503', '504', '70001', '505', '506', '507', '508'])
  expect(links.map((link) => link['selected'])).toEqual([true, ...Array<boolean>(8).fill(false)])
})

test('[OPS-03] the printed password is the one that was hashed', async () => {
  const { password = '' } = await load(focusCsv(sampleRows()))
  const [user] = await queryRows(`select password_hash from app_user`)
  expect(await context.passwords.verify(String(user?.['password_hash']), password)).toBe(true)
})

test('[OPS-03] usage keeps all 18 decimals, quantity, resource, region and cost centre; a row without quantity counts none', async () => {
  await load(focusCsv(sampleRows()))
  const exact = await queryRows(`select price::text from usage_record where abs(price) < 0.0000000001 and price <> 0 order by price`)
  expect(exact.map((row) => row['price'])).toEqual(['-0.000000000000000003', '0.000000000000000001'])
  expect(await queryRows(`select price::text, units::text from usage_record where price = 0.0000001`)).toEqual([
    { price: '0.0000001', units: '2' },
  ])
  expect(await queryRows(`select units::text, service_item_id from usage_record where price = -2.6137`)).toEqual([
    { units: '0', service_item_id: null },
  ])
  expect(await queryRows(`select count(*)::int as count from usage_record where cost_centre = 'CC-77'`)).toEqual([{ count: 8 }])
  expect(await queryRows(`select distinct site from usage_record`)).toEqual([{ site: 'US West' }])
  expect(
    await queryRows(`select usage_at at time zone 'UTC' = '2024-10-01 23:30:00' as is_utc from usage_record where price = 4.005`),
  ).toEqual([{ is_utc: true }])
  expect(await queryRows(`select description from record_type order by 1`)).toEqual(
    ['Credit', 'Usage B-0', 'Usage B-1', 'Usage B-2', 'Usage C-1', 'Usage SKU-Q1'].map((description) => ({ description })),
  )
})

test('[OPS-03] an invoice stands for a customer and a period, its lines are the services, each rounded, and it is due fourteen days after', async () => {
  await load(focusCsv(sampleRows()))
  const invoice = (customer: string) =>
    queryRows(`select replace(i.number, c.id::text, 'C') as number, i.amount_minor::int as amount, i.amount_due_minor::int as due, i.status,
      i.issued_on::text as issued, i.due_on::text as due_on, i.currency from invoice i join customer c on c.id = i.customer_id
      where c.external_id = '${customer}' order by i.id`)
  expect(await invoice('70001')).toEqual([
    { number: '202409-C', amount: 1275, due: 1275, status: 1, issued: '2024-10-01', due_on: '2024-10-14', currency: 'USD' },
  ])
  expect((await invoice('501')).map(({ number, issued }) => [number, issued])).toEqual([
    ['202409-C', '2024-10-01'],
    ['202410-C', '2024-11-01'],
  ])
  expect(await invoice('506')).toMatchObject([{ amount: 0, due: 0, status: 11 }])
  expect(await invoice('505')).toMatchObject([{ amount: -310, due: -310, status: 9 }])
  expect(await invoice('507')).toMatchObject([{ amount: 101, due: 101, status: 1, currency: 'JPY' }])
  expect(await invoice('508')).toMatchObject([{ amount: 1, status: 1 }]) // 0.0049 + 0.0001 rounds as one line
  const lines =
    await queryRows(`select l.service_name, l.amount_minor::int as amount from invoice_line l join customer c on c.id = l.customer_id
    where c.external_id = '502' order by l.line_no`)
  const cost = exactSum(
    sampleRows()
      .filter((row) => row['SubAccountId'] === '502')
      .map((row) => row['BilledCost'] ?? ''),
  )
  expect(lines).toEqual([{ service_name: 'Block Storage', amount: Math.round(Number(cost) * 100) }])
})

test('[OPS-03] the transactions behind an invoice add up exactly to the usage, and the opening balance to what is due, off which no credit is taken', async () => {
  const imported = await load(focusCsv(sampleRows()))
  const [behind] = await queryRows(
    `select sum(price)::text as sum, count(*)::int as all, count(invoice_id)::int as invoiced from billing_transaction`,
  )
  expect(exactSum([String(behind?.['sum'])])).toBe(imported.sum)
  expect(behind?.['all']).toBe(behind?.['invoiced'])
  expect(
    await queryRows(`select c.external_id from opening_balance o join customer c on c.id = o.customer_id
    where o.balance_minor <> (select sum(greatest(i.amount_due_minor, 0)) from invoice i where i.customer_id = c.id)`),
  ).toEqual([])
  expect(await queryRows(`select count(*)::int as count from opening_balance`)).toEqual([{ count: 9 }])
})

test('[OPS-03] a second run of the same file changes nothing, whatever the order of its columns', async () => {
  const first = await load(focusCsv(sampleRows()))
  const before = await everything()
  context.advance(3_600_000)
  const second = await load(focusCsv(sampleRows(), COLUMNS.toReversed(), '\r\n'))
  expect(await everything()).toEqual(before)
  expect(second).toMatchObject({
    rows: 60,
    newRows: 0,
    customers: 9,
    invoices: 10,
    sum: first.sum,
    invoiceSum: first.invoiceSum,
    username: first.username,
  })
  expect(second).not.toHaveProperty('password')
})

test('[OPS-03] rows that come later join their open invoice; on a paid one they get an invoice of their own', async () => {
  const rows = [{ BilledCost: '1.005' }, { SubAccountId: '502', SubAccountName: 'Birch', BilledCost: '2' }]
  await load(focusCsv(rows))
  await queryRows(`update invoice set amount_due_minor = 0, status = 11 where amount_minor = 200`)
  const later = [...rows, { BilledCost: '1.005' }, { SubAccountId: '502', SubAccountName: 'Birch', BilledCost: '5' }]
  expect(await load(focusCsv(later))).toMatchObject({ rows: 4, newRows: 2, invoices: 3, sum: '9.01', invoiceSum: '9.01' })
  expect(
    await queryRows(
      `select amount_minor::int as amount, amount_due_minor::int as due, status, number ~ '-2$' as further from invoice order by id`,
    ),
  ).toEqual([
    { amount: 201, due: 201, status: 1, further: false },
    { amount: 200, due: 0, status: 11, further: false },
    { amount: 500, due: 500, status: 1, further: true },
  ])
  expect(await queryRows(`select balance_minor::int as balance from opening_balance order by customer_id`)).toEqual([
    { balance: 201 },
    { balance: 500 },
  ])
  expect(await load(focusCsv(later))).toMatchObject({ newRows: 0, invoices: 3 })
})

test('[OPS-03] a customer with two names gets the last one, and the run says so', async () => {
  const { notes } = await load(focusCsv(sampleRows()))
  expect(notes).toEqual([
    'Customer 508 has more than one name in the file; the last one stands: Hazel Renamed.',
    'Customer 508 stands under more than one billing account; each is one customer, under the last account.',
    'Look at 2 rows with a negative price.',
  ])
  expect(await queryRows(`select label from customer where external_id = '508'`)).toEqual([{ label: 'Hazel Renamed' }])
})

test('[OPS-03] a byte order mark, unknown columns and chunks of any size are accepted', async () => {
  const rows = sampleRows().map((row) => ({ ...row, ColumnOfTomorrow: 'x' }))
  const file = Buffer.from(`\uFEFF${focusCsv(rows, [...COLUMNS, 'ColumnOfTomorrow'])}`)
  const imported = await importFocus(context, [source(file, 1)], {
    reseller,
    brand: 'Larch',
    create: true,
    skipBad: false,
    dryRun: false,
    progress: () => undefined,
  })
  expect(imported).toMatchObject({ rows: 60, sum: sums(rows) })
})

const GOOD = focusCsv(sampleRows())
const toLine = (bad: SampleRow): string => focusCsv([...sampleRows().slice(0, 5), bad, ...sampleRows().slice(5, 8)])
const THREE_LINES = toLine({ ChargeDescription: 'a\nb\nc' })
const LF = '\n'
const broken = (line: number, alter: (text: string) => string): string =>
  GOOD.split(LF)
    .map((text, at) => (at + 1 === line ? alter(text) : text))
    .join(LF)

test.each<[string, string | Uint8Array, string[]]>([
  ['one column too few', broken(13, (line) => line.slice(0, line.lastIndexOf(','))), ['line 13: it has 20 columns; the header has 21']],
  ['one column too many', broken(12, (line) => `${line},more`), ['line 12: it has 22 columns; the header has 21']],
  ['a word for an amount', toLine({ BilledCost: 'abc' }), ['line 7: BilledCost: "abc" is not a number']],
  [
    'a comma that may stand before thousands or decimals',
    toLine({ BilledCost: '1,000' }),
    [
      'line 7: BilledCost: "1,000" can mean 1.000 or 1000; write a decimal point, no separator of thousands, and commas between the columns',
    ],
  ],
  [
    'a row with mistakes in several columns',
    toLine({ BilledCost: 'abc', ConsumedQuantity: 'x', BillingPeriodStart: 'y', BillingCurrency: 'dollars', ServiceName: '' }),
    [
      'line 7: BillingPeriodStart: "y" is not a date and time; BillingCurrency: "dollars" is not a currency of ISO 4217; ServiceName: it is missing; ConsumedQuantity: "x" is not a number; BilledCost: "abc" is not a number',
    ],
  ],
  ['no amount', toLine({ BilledCost: 'NULL' }), ['line 7: BilledCost: it is missing']],
  ['an exponent without bounds', toLine({ BilledCost: '1E999999999' }), ['line 7: BilledCost: "1E999999999" is too large']],
  ['a bad quantity', toLine({ ConsumedQuantity: '0x10' }), ['line 7: ConsumedQuantity: "0x10" is not a number']],
  [
    'a day that does not exist',
    toLine({ ChargePeriodStart: '2024-02-30 00:00:00' }),
    ['line 7: ChargePeriodStart: "2024-02-30 00:00:00" is not a date and time'],
  ],
  [
    'a date of another habit',
    toLine({ BillingPeriodStart: '09/01/2024' }),
    ['line 7: BillingPeriodStart: "09/01/2024" is not a date and time'],
  ],
  [
    'a period that ends first',
    toLine({ BillingPeriodEnd: '2024-08-01 00:00:00' }),
    ['line 7: BillingPeriodEnd: the billing period ends before it begins'],
  ],
  [
    'another currency for one customer',
    toLine({ BillingCurrency: 'EUR' }),
    ['line 7: BillingCurrency: EUR, but customer 501 is billed in USD'],
  ],
  ['no currency code', toLine({ BillingCurrency: 'dollars' }), ['line 7: BillingCurrency: "dollars" is not a currency of ISO 4217']],
  [
    'a control character',
    toLine({ ServiceName: 'Que\u001B[31mues' }),
    ['line 7: ServiceName: "Que\uFFFD[31mues" holds a control character'],
  ],
  ['a NUL byte', toLine({ ResourceId: 'a\u0000b' }), ['line 7: it holds a NUL byte']],
  [
    'an identifier without end',
    toLine({ ResourceId: 'r'.repeat(1_025) }),
    [`line 7: ResourceId: "${'r'.repeat(40)}…" is longer than 1024 bytes`],
  ],
  ['a cut in the last row', GOOD.slice(0, GOOD.lastIndexOf(',"Queues')), ['line 62: it has 16 columns; the header has 21']],
  [
    'a cut inside a quoted field',
    GOOD.slice(0, GOOD.lastIndexOf('Alder') + 3),
    ['line 62: a quote is opened and never closed; the file may have been cut'],
  ],
  [
    'a row cut inside a quoted field amid others',
    broken(12, (line) => line.slice(0, line.indexOf('$') + 3)),
    ['line 12: text follows a closing quote; a quote may be missing'],
  ],
  [
    'a quote amid a field',
    broken(12, (line) => line.replace('NULL', 'N"ULL')),
    ['line 12: a quote stands inside a field that is not quoted'],
  ],
  [
    'two quotes amid a field, which count once,',
    broken(12, (line) => line.replace('NULL', 'N"UL"L')),
    ['line 12: a quote stands inside a field that is not quoted'],
  ],
  [
    'text after a closing quote, which counts once,',
    broken(12, (line) => line.replace('"USD"', '"US"D"')),
    ['line 12: text follows a closing quote; a quote may be missing'],
  ],
  [
    'text after a closing quote in the third line of a row',
    THREE_LINES.replace('\nc"', '\nc"d"'),
    ['line 7: text follows a closing quote; a quote may be missing'],
  ],
  [
    'a column too many in a row of three lines',
    THREE_LINES.replace('\nc",', '\nc",more,'),
    ['line 7: it has 22 columns; the header has 21'],
  ],
  [
    'a column too few in a row of three lines',
    THREE_LINES.replace('\nc","2024-09-18 23:00:00"', '\nc"'),
    ['line 7: it has 20 columns; the header has 21'],
  ],
  ['bytes that are not UTF-8', Buffer.from(toLine({ SubAccountName: 'Müller' }), 'latin1'), ['line 7: it is not UTF-8 text']],
  [
    'a row whose third line is not UTF-8',
    Buffer.from(toLine({ ChargeDescription: 'a\nb\nü' }), 'latin1'),
    ['line 9: it is not UTF-8 text'],
  ],
  [
    'a row that is not UTF-8, whatever its quotes',
    Buffer.from(toLine({ SubAccountName: 'Müller' }).replace('Müller"', 'Müller"x"'), 'latin1'),
    ['line 7: it is not UTF-8 text'],
  ],
  [
    'UTF-16',
    Buffer.from(`\uFEFF${GOOD}`, 'utf16le'),
    ['The file is text in UTF-16, as Excel saves "Unicode Text". In the spreadsheet, save the sheet as "CSV UTF-8", and import that.'],
  ],
  ['nothing at all', '', ['The file holds no rows; there is nothing to import.']],
  ['a header alone', focusCsv([]), ['The file holds no rows; there is nothing to import.']],
  [
    'a header without two columns',
    focusCsv(
      [{}],
      COLUMNS.filter((name) => name !== 'BilledCost' && name !== 'ServiceName'),
    ),
    ['line 1: the header lacks BilledCost, ServiceName, which FOCUS requires'],
  ],
  [
    'a header with text after a closing quote',
    GOOD.replace('"Tags"', '"Ta"gs"'),
    ['line 1: text follows a closing quote; a quote may be missing'],
  ],
  ['a header that never ends', GOOD.slice(0, 100), ['line 1: a quote is opened and never closed; the file may have been cut']],
  ['a column that stands there twice', focusCsv([{}], [...COLUMNS, 'Tags']), ['line 1: the header names the column Tags twice']],
  ['a line without end', `${GOOD}${'x'.repeat(1_200_000)}`, ['line 63: it is longer than 1 MiB; this is not a FOCUS file']],
])('[OPS-03] %s is refused with its line, and nothing is left of the file', async (_what, file, reasons) => {
  expect(await expectRejection(file)).toEqual(reasons)
})

test('[OPS-03] a quote that is opened and never closed does not take the file into memory', async () => {
  const endless = `${GOOD}"${`${'no quote here '.repeat(70)}\n`.repeat(6_000)}`
  expect(await expectRejection(endless)).toEqual(['line 63: a row is longer than 4 MiB; a quote may have been opened and never closed'])
})

test('[OPS-03] a row has any number of lines up to 4 MiB; a longer one refuses the file with the line that it begins on', async () => {
  const file = (lines: number, last = ''): string => focusCsv([{}, { Note: 'a\n'.repeat(lines) + last }], [...COLUMNS, 'Note'])
  expect(await load(file(2_000_000), { skipBad: true })).toMatchObject({ rows: 2, rejectedCount: 0 })
  reseller += ' open'
  expect(await expectRejection(`${GOOD}\n"${'ab\n'.repeat(2_000_000)}`, { skipBad: true })).toEqual([
    'line 64: a row is longer than 4 MiB; a quote may have been opened and never closed',
  ])
  expect(await expectRejection(file(1_700_000, 'b'.repeat(900_000)))).toEqual([
    'line 3: a row is longer than 4 MiB; a quote may have been opened and never closed',
  ])
})

test('[OPS-03] line ends in quotes are part of a row: one that was imported before is not billed again', async () => {
  const texts = ['a\rb', 'a\nb', 'a\r\nb', '\r\n\n\r\r', 'say "\r\n"', '"\n"']
  const rows = texts.map((ChargeDescription, at) => ({ ChargeDescription, ResourceName: `${at}\r` }))
  // Keys as they stand in databases since the first release.
  const keys = [
    'wpU8YYQwiQSnP3BSlLmHV94GUv5FROvmJhH1S8P_Akw',
    'Y0DcuCruC-rRfYciMx8n9etWSMUrzTwWvk98Roc-GQs',
    'e1JFFIt6qOIwjp1Qsqg7BeuyQI4ikLE_P4Sg1sK4nHQ',
    'wXthrJsjw9XcuP4MYASEfZcRI5YcRGOdutIpftHa9Ow',
    'l8xUIabAfbvwnlPWUeBXu_fSc0XI3-vXxMp8P10Bmm4',
    'obX0iYsPYU7HMiRQTfzLRZQfRf0Ah2l1F-1KF3fSy_A',
    'USVr2ZrnFnvtWwwCt6Kh5DzhiXK-1HJbWSpLVJj-BF4',
  ]
  await load(focusCsv(rows))
  await load(`${focusCsv([{}]).trimEnd()}\r`) // a CR that no LF follows belongs to the last field
  const stored = await queryRows(`select external_id from usage_record`)
  expect(stored.map((row) => row['external_id']).toSorted()).toEqual(keys.toSorted())
  expect(await load(focusCsv(rows, COLUMNS, '\r\n'))).toMatchObject({ rows: 6, newRows: 0 })
})

test('[OPS-03] blank lines and a CR too many before a line end are no damage', async () => {
  const rows = [{ Tags: '{"a": "b"}' }, { BilledCost: '2', Tags: '{"a": "b"}' }]
  expect(await load(focusCsv(rows, COLUMNS, '\n \t\n\n'))).toMatchObject({ rows: 2, notes: [] })
  expect(await load(focusCsv(rows, COLUMNS, '\r\r\n'))).toMatchObject({ rows: 2, newRows: 0 })
  expect(await load(focusCsv(rows, COLUMNS, '\r\n').slice(0, -1))).toMatchObject({ rows: 2, newRows: 0, notes: [expect.any(String)] })
})

test('[OPS-03] line numbers count the line ends inside quotes, Windows ones too', async () => {
  const rows = [
    { ChargeDescription: 'one\r\ntwo\r\nthree' },
    { ChargeDescription: 'a\nb' },
    { BilledCost: 'x', ChargeDescription: 'c\r\nd' },
    { BilledCost: 'y' },
  ]
  expect(await expectRejection(focusCsv(rows, COLUMNS, '\r\n'))).toEqual([
    'line 7: BilledCost: "x" is not a number',
    'line 9: BilledCost: "y" is not a number',
  ])
})

test('[OPS-03] --skip-bad imports the good rows of a damaged file, and what it leaves out it names', async () => {
  const rows = [{ BilledCost: '1.5' }, { BilledCost: 'x' }, { BilledCost: '2.25', ServiceName: 'Compute' }, { BillingCurrency: 'x' }]
  const imported = await load(focusCsv(rows).slice(0, -1), { skipBad: true })
  expect(imported).toMatchObject({ rows: 2, sum: '3.75', invoiceSum: '3.75', rejectedCount: 2 })
  expect(imported.rejected.map(({ line }) => line)).toEqual([3, 5])
  expect(imported.notes).toEqual(['The last line of the file has no line end; if the file was cut, its last row may be short.'])
})

test('[OPS-03] a file of nothing but bad rows is refused even so', async () => {
  expect(await expectRejection(focusCsv([{ BilledCost: 'x' }]), { skipBad: true })).toEqual([
    'Every one of the 1 rows is bad; there is nothing to import.',
  ])
})

test('[OPS-03] a file that changes between its two readings is refused, and nothing is left of it', async () => {
  const texts = [focusCsv(sampleRows()), focusCsv(sampleRows().slice(1))]
  const shifting = { bytes: null, open: () => source(texts.shift() ?? '').open() }
  await expect(
    importFocus(context, [shifting], { reseller, brand: 'Larch', create: true, skipBad: false, dryRun: false, progress: () => undefined }),
  ).rejects.toThrow('The file changed')
  expect(await queryRows('select 1 from customer')).toEqual([])
  expect(await countStagedRows()).toBe(0)
})

test('[OPS-03] two imports of one file at the same time end as one', async () => {
  const [one, two] = await Promise.all([load(focusCsv(sampleRows())), load(focusCsv(sampleRows()))])
  expect([one.newRows, two.newRows].toSorted()).toEqual([0, 60])
  expect([one, two].filter((imported) => imported.password !== undefined)).toHaveLength(1)
  expect(one.sum).toBe(two.sum)
  const [stored] = await queryRows(`select count(*)::int as rows, sum(price)::text as sum from usage_record`)
  expect([stored?.['rows'], exactSum([String(stored?.['sum'])])]).toEqual([60, one.sum])
  expect(
    await context.store.transact({ role: 'counterfoil_system' }, (db) =>
      db.selectFrom('reseller').select('id').where('name', '=', reseller).execute(),
    ),
  ).toHaveLength(1)
  expect(await countStagedRows()).toBe(0)
})

test('[OPS-03] what a dead run left in the staging is invisible, and the next run removes it', async () => {
  await context.store.transact({ role: 'counterfoil_system' }, async (db) => {
    await sql`select open_import_staging(gen_random_uuid())`.execute(db)
    await sql`update import_staging set alive_at = now() - interval '361 minutes'`.execute(db)
    await sql`insert into focus_row (import_id, line, key, customer, service, record_type, category, used_at, starts_on, ends_on, units, price)
      select id, 2, 'k', '501', 's', '[]', 'Usage', now(), '2024-09-01', '2024-09-30', 1, 99 from import_staging`.execute(db)
  })
  expect(await load(focusCsv(sampleRows()))).toMatchObject({ rows: 60, sum: sums(sampleRows()) })
  expect(await countStagedRows()).toBe(0)
})

test('[OPS-03] reseller and brand go by name, whatever its case, or by id; an id that nobody has is refused', async () => {
  const first = await load(focusCsv(sampleRows()))
  const again = await load(focusCsv(sampleRows()), { reseller: String(first.reseller.id), brand: String(first.brand.id) })
  expect([again.reseller, again.brand, again.newRows]).toEqual([first.reseller, first.brand, 0])
  expect((await load(focusCsv(sampleRows()), { reseller: reseller.toUpperCase() })).reseller).toEqual(first.reseller)
  await expect(load(GOOD, { reseller: '99999' })).rejects.toThrow('There is no reseller with the id 99999.')
  await expect(load(GOOD, { brand: '99999' })).rejects.toThrow('There is no brand of this reseller with the id 99999.')
  await expect(load(GOOD, { brand: 'Another' })).rejects.toThrow('Customer 501 is there already, under the brand Larch')
  expect(await queryRows(`select name from brand`)).toEqual([{ name: 'Larch' }])
})

test('[OPS-03] a customer keeps the currency of earlier files', async () => {
  await load(focusCsv([{ BilledCost: '1' }]))
  await expect(load(focusCsv([{ BilledCost: '1', BillingCurrency: 'EUR' }]))).rejects.toThrow(
    '1 bad row in the file; nothing was imported.',
  )
})

test('[OPS-03] a wanted username is taken as it is, another reseller’s is refused, and a taken one of our own making gives way', async () => {
  expect(await load(GOOD, { username: `alba${run}` })).toMatchObject({ username: `alba${run}` })
  const first = reseller
  reseller = `${first}!` // gives the same username
  await expect(load(GOOD, { username: `ALBA${run}` })).rejects.toThrow(`The username ALBA${run} is taken`)
  reseller = `Larch ${run - 1}?` // an earlier test created this name
  expect((await load(GOOD)).username).toMatch(/^larch-\d+-larch$/)
})

test('[OPS-03] payable invoices get an address to pay at only where the reseller takes payments', async () => {
  await load(focusCsv([{ BilledCost: '3' }]))
  expect(await queryRows(`select pay_token_hash from invoice`)).toEqual([{ pay_token_hash: null }])
  await queryRows(`update reseller set payments_enabled = true`)
  await load(focusCsv([{ BilledCost: '3' }, { BilledCost: '4' }]))
  const [invoice] = await queryRows(`select octet_length(pay_token_hash) as bytes, amount_minor::int as amount from invoice`)
  expect(invoice).toEqual({ bytes: 32, amount: 700 })
})

const command = async (file: string, options: Record<string, string | boolean>, json = false) => {
  const out: string[] = []
  const err: string[] = []
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    json,
    openFile: async () => source(file),
  }
  const exit = await dispatchCommand('import focus', context, io, ['file.csv'], { reseller, brand: 'Larch', create: true, ...options })
  return { exit, out, err }
}

test('[OPS-03] the command says how far it is, both sums, and the password once', async () => {
  const rows = [{ BilledCost: '1.004' }, { BilledCost: '1.004', ServiceName: 'Compute' }]
  const first = await command(focusCsv(rows), {})
  expect(first).toMatchObject({ exit: 0, err: [] })
  expect(first.out.slice(0, 7)).toEqual([
    'Checked 2 rows.',
    'Loaded 2 rows.',
    'Making the invoices …',
    'The file is FOCUS 1.0.',
    '2 rows, all of them new; 1 customer, 1 invoice.',
    "The usage adds up to the file's BilledCost: 2.008.",
    'The invoices, their lines rounded, add up to 2.00 USD.',
  ])
  expect(first.out.filter((line) => line.startsWith('Password: '))).toHaveLength(1)
  const second = await command(focusCsv(rows), {})
  expect(second.out).toContain('2 rows, none of them new: nothing has changed; 1 customer, 1 invoice.')
  expect(second.out.filter((line) => line.startsWith('Password: '))).toEqual([])
})

test('[OPS-03] the command lists at most 20 bad rows and ends with 1; with --json it prints one object', async () => {
  const bad = await command(focusCsv(Array.from({ length: 23 }, () => ({ BilledCost: 'abc' }))), {})
  expect([bad.exit, bad.err.length, bad.err[0], bad.err[20]]).toEqual([1, 22, 'line 2: BilledCost: "abc" is not a number', 'and 3 more'])
  const json = await command(focusCsv([{ BilledCost: '1.50' }]), {}, true)
  expect([json.exit, json.out.length, json.err]).toEqual([0, 1, []])
  const result: unknown = JSON.parse(json.out[0] ?? '')
  expect(result).toMatchObject({ rows: 1, customers: 1, invoices: 1, sum: '1.5', username: `larch-${run}`, password: expect.any(String) })
})

test.skipIf(!existsSync(REAL_FILE))(
  '[OPS-03] the FinOps Foundation’s sample imports whole: 1,000 rows, 73 sub-accounts, the exact sum',
  async () => {
    const records = parse(readFileSync(REAL_FILE), { columns: true }) as Record<string, string>[]
    const file = await openFileSource(REAL_FILE.pathname)
    const imported = await importFocus(context, [file], {
      reseller,
      brand: 'SunBird',
      create: true,
      skipBad: false,
      dryRun: false,
      progress: () => undefined,
    })
    expect(imported).toMatchObject({ rows: 1_000, newRows: 1_000, customers: 73, rejectedCount: 0 })
    expect(imported.customers).toBe(new Set(records.map((record) => record['SubAccountId'])).size)
    expect(imported.sum).toBe(exactSum(records.map((record) => record['BilledCost'] ?? '')))
    const before = await everything()
    expect(
      await importFocus(context, [file], {
        reseller,
        brand: 'SunBird',
        create: true,
        skipBad: false,
        dryRun: false,
        progress: () => undefined,
      }),
    ).toMatchObject({
      newRows: 0,
    })
    expect(await everything()).toEqual(before)
  },
)

test('[OPS-03] a name that is not known makes nothing: not the reseller, not the brand, not the user', async () => {
  const file = focusCsv(sampleRows())
  await expect(load(file, { create: false })).rejects.toThrow(`There is no reseller named ${reseller}. If it is new, say --create.`)
  await load(file)
  const before = await everything()
  await expect(load(file, { create: false, brand: 'Lerch' })).rejects.toThrow(
    `${reseller} has no brand named Lerch. If it is new, say --create.`,
  )
  await expect(load(file, { create: false, username: 'nobody' })).rejects.toThrow(
    'There is no user named nobody. If the user is new, say --create.',
  )
  expect(await everything()).toEqual(before)
  expect(await load(file, { create: false })).toMatchObject({ newRows: 0, username: expect.any(String) as string })
})

test('[OPS-03] without --create an import makes no user', async () => {
  const resellerId = await addReseller(context, { name: reseller })
  await addBrand(context, resellerId, { name: 'Larch' })
  expect(await load(focusCsv(sampleRows()), { create: false })).toMatchObject({ username: null })
  expect(await queryRows('select id from app_user')).toEqual([])
})

test('[OPS-03] a dry run says what would come of it, and keeps nothing', async () => {
  const tried = await load(focusCsv(sampleRows()), { dryRun: true })
  expect(await queryRows('select id from customer')).toEqual([])
  expect(await countStagedRows()).toBe(0)
  const { password, dryRun, ...made } = await load(focusCsv(sampleRows()))
  expect([typeof password, dryRun, tried.dryRun, tried.password]).toEqual(['string', false, true, undefined])
  expect(tried).toMatchObject({
    rows: made.rows,
    newRows: made.newRows,
    invoices: made.invoices,
    sum: made.sum,
    invoiceSum: made.invoiceSum,
  })
})

test.each([
  ['gzip', gzipSync],
  ['Zstandard', zstdCompressSync],
])('[OPS-03] a file compressed with %s is read like the plain one, and a cut one is refused', async (name, compress) => {
  const plain = focusCsv(sampleRows())
  expect(await load(compress(plain))).toMatchObject({ newRows: sampleRows().length })
  expect(await load(plain)).toMatchObject({ newRows: 0 })
  const cut = compress(plain).subarray(0, 60)
  await expect(load(cut)).rejects.toThrow(`The file is compressed with ${name}, and cut or damaged.`)
})

test.each([
  ['Parquet without its end', Buffer.from('PAR1\u0015\u0004'), 'The file is Parquet, and cut or damaged'],
  ['ZIP', Buffer.from('PK\u0003\u0004....'), 'The file is a ZIP archive. Take the file out of it first.'],
  [
    'lower case',
    focusCsv(sampleRows()).replace('BilledCost', 'billedcost').replace('ServiceName', 'SERVICENAME'),
    'the header writes billedcost, SERVICENAME, and FOCUS BilledCost, ServiceName: capital letters matter',
  ],
])('[OPS-03] a file that is none in words: %s', async (_, file, words) => {
  await expect(load(file)).rejects.toThrow(words)
})

test('[OPS-03] a file with semicolons and decimal commas has the sum of the plain one; a number that may be two is refused', async () => {
  const rows = [{ BilledCost: '12,5', ConsumedQuantity: '1.234,5' }, { BilledCost: '-0,000000000000000003' }]
  const saved = (parse(focusCsv(rows, [...COLUMNS, '', ''])) as string[][]).map((row) => `${row.join(';')}\r\n`).join('')
  expect(await load(saved)).toMatchObject({ rows: 2, sum: '12.499999999999999997' })
  expect(await queryRows('select units::text from usage_record where price > 1')).toEqual([{ units: '1234.5' }])
  expect(await load(saved)).toMatchObject({ newRows: 0 })
  await expect(load(saved.replace('12,5', '12.500'))).rejects.toThrow('1 bad row in the file')
})

test.each([
  ['1.0', []],
  ['1.1', ['SkuMeter', 'CommitmentDiscountQuantity']],
  ['1.2', ['SkuMeter', 'InvoiceId', 'BillingAccountType']],
  ['1.3', ['SkuMeter', 'InvoiceId', 'HostProviderName']],
])('[OPS-03] a file of FOCUS %s is named so', async (version, columns) => {
  const [header = '', ...rows] = focusCsv(sampleRows()).trimEnd().split('\n')
  const more = columns.map(() => ',NULL').join('')
  const file = [`${header}${columns.map((name) => `,${name}`).join('')}`, ...rows.map((row) => `${row}${more}`)].join('\n')
  expect(await load(`${file}\n`)).toMatchObject({ version, newRows: sampleRows().length })
})
