import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { dispatchCommand } from '../../cli/program/dispatch.ts'
import { listenForCommands, runOnServer } from '../../cli/socket.ts'
import { runCommand } from '../../../test/support/operator.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addBrand, addCustomer, addReseller, queryAsAdministrator } from '../../../test/support/people.ts'
import { deleteAllUsage } from '../../../test/support/usage.ts'
import { findMiscounts } from '../../../test/support/usage-counters.ts'
import { BadRows } from '../staging/row-report.ts'
import type { Db } from '../../db/database.ts'
import { importUsage, type UsageImport } from './import-usage.service.ts'
import type { UsageOptions } from './load-usage.ts'
import { ensureMonths } from '../../usage-store/usage-months.queries.ts'
import { COLUMNS, type SampleRecord, usageCsv, usageJson } from './usage-sample.data.ts'

const testDatabase = inject('testDatabase')
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-usage-'))
const masterKey = randomBytes(32).toString('hex')

let context: TestContext
let market: Awaited<ReturnType<typeof addMarket>>

beforeAll(async () => {
  context = await testContext({ DATA_DIR: folder, MASTER_KEY: masterKey })
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  market = await addMarket()
})

/** A reseller with two customers, two services of two record types each, agreements and items. */
const addMarket = async () => {
  const id = await addReseller(context)
  const brand = await addBrand(context, id)
  const [one, two] = [
    await addCustomer(context, id, brand, { external_id: 'C1' }),
    await addCustomer(context, id, brand, { external_id: 'C2' }),
  ]
  const own = { reseller_id: id }
  const voice = await insertRow(context, id, 'service', { ...own, external_id: 'VOICE', name: 'Voice' })
  const data = await insertRow(context, id, 'service', { ...own, external_id: null, name: '4G Data' })
  await insertRow(context, id, 'record_type', { ...own, service_id: voice, external_id: 'VN', description: 'National call' })
  await insertRow(context, id, 'record_type', { ...own, service_id: voice, external_id: 'VR', description: 'Roaming' })
  await insertRow(context, id, 'record_type', { ...own, service_id: data, external_id: null, description: 'Roaming' })
  await insertRow(context, id, 'agreement', { customer_id: one, external_id: 'A1', name: 'Fleet' })
  const item = await insertRow(context, id, 'service_item', {
    customer_id: one,
    external_id: 'I1',
    service_id: voice,
    service_item: '0491 570 156',
  })
  await insertRow(context, id, 'service_item', { customer_id: one, external_id: null, service_id: data, service_item: '0491 570 156' })
  return { id, one, two, voice, data, item }
}

/** The file in small, odd pieces, so that their borders fall inside rows. */
const source = (file: string | Uint8Array, pieceBytes = 997) => {
  const bytes = Buffer.from(file as Uint8Array)
  return {
    bytes: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    },
  }
}

const load = (file: string | Uint8Array, options: Partial<UsageOptions> = {}, pieceBytes?: number): Promise<UsageImport> =>
  importUsage(context, source(file, pieceBytes), { reseller: String(market.id), skipBad: false, progress: () => undefined, ...options })

const queryRows = (query: string): Promise<Record<string, unknown>[]> =>
  context.store.transact(
    { role: 'counterfoil_reseller', resellerId: market.id },
    async (db) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows,
  )

const records = async (): Promise<number> => Number((await queryRows('select count(*) as n from usage_record'))[0]?.['n'])

/** Loads whose tables still exist. */
const findRemainingLoads = (): Promise<unknown[]> =>
  context.store.transact({ role: 'owner' }, async (db) => {
    const { rows } = await sql`select relname from pg_class where relkind = 'r' and relname like 'usage\\_load\\_%'`.execute(db)
    return rows
  })

/** Counters that differ from a plain sum. */
const miscounts = (): Promise<unknown[]> => findMiscounts(context, market.id)

/** The reasons for which a file is rejected. Nothing of it may be stored. */
const expectRejection = async (file: string | Uint8Array): Promise<string[]> => {
  const error = await load(file).then(
    () => new Error('it was imported'),
    (error: Error) => error,
  )
  expect(await records()).toBe(0)
  expect(await findRemainingLoads()).toEqual([])
  return error instanceof BadRows ? error.found.firstRejected.map(({ line, reason }) => `line ${line}: ${reason}`) : [error.message]
}

test('[OPS-03] a CSV file becomes usage records, each field in its place and every digit kept', async () => {
  const imported = await load(
    usageCsv([
      {
        date: '2026-10-05 10:30:00+02:00',
        agreement: 'A1',
        serviceItem: 'I1',
        serviceItem2: '505-01',
        serviceItem3: 'cell 7',
        site: 'Kewdale, "North"',
        costCentre: 'Fleet',
        units: '0.000000000000000001',
        price: '-12345678901234567890.5',
      },
    ]),
  )
  expect(imported).toMatchObject({ rows: 1, imported: 1, repeated: 0, rejected: 0, reseller: { id: market.id } })
  expect(
    await queryRows(`with u as materialized (select * from usage_record)
      select customer_id::int, service_id::int, service_item_id::int, (select name from agreement a where a.id = agreement_id) as agreement,
      (select external_id from record_type t where t.id = record_type_id) as type, service_item2, service_item3, site, cost_centre, units::text, price::text,
      external_id, usage_at at time zone 'UTC' = '2026-10-05 08:30:00' as is_utc from u`),
  ).toEqual([
    {
      customer_id: market.one,
      service_id: market.voice,
      service_item_id: market.item,
      agreement: 'Fleet',
      type: 'VN',
      service_item2: '505-01',
      service_item3: 'cell 7',
      site: 'Kewdale, "North"',
      cost_centre: 'Fleet',
      units: '0.000000000000000001',
      price: '-12345678901234567890.5',
      external_id: 'cdr-1',
      is_utc: true,
    },
  ])
  expect(await miscounts()).toEqual([])
})

const MANY_RECORDS: SampleRecord[] = Array.from({ length: 60 }, (_, at) => ({
  customer: at % 3 === 0 ? 'C2' : 'C1',
  date: `2026-${at % 2 === 0 ? '09' : '10'}-${String(1 + (at % 28)).padStart(2, '0')}`,
  recordType: at % 5 === 0 ? 'Roaming' : 'VN',
  price: `${at}.0${at}`,
}))

test('[OPS-03] CSV and JSON lines, plain and gzip, in pieces of any size, give the same records', async () => {
  const read = `select customer_id - ${market.one} as c, external_id, usage_at::text, record_type_id, units::text, price::text from usage_record order by 1, 2`
  await load(usageCsv(MANY_RECORDS))
  const expected = await queryRows(read)
  expect(expected).toHaveLength(60)
  const files = [
    usageJson(MANY_RECORDS),
    gzipSync(usageCsv(MANY_RECORDS)),
    gzipSync(usageJson(MANY_RECORDS)),
    `\uFEFF${usageCsv(MANY_RECORDS, COLUMNS.toReversed(), '\r\n')}\r\n`,
  ]
  for (const file of files) {
    await deleteAllUsage(context, market.id)
    expect(await load(file, {}, 1)).toMatchObject({ rows: 60, imported: 60 })
    expect(await queryRows(read)).toEqual(expected)
  }
  expect(await miscounts()).toEqual([])
})

test('[OPS-03] a customer goes by external id or id, a service by external id or name, a record type and an item likewise', async () => {
  await load(
    usageCsv([
      { customer: String(market.one), service: 'Voice', recordType: 'VR', serviceItem: '0491 570 156', agreement: 'Fleet' },
      { service: '4G Data', recordType: 'Roaming', serviceItem: '0491 570 156' },
    ]),
  )
  expect(
    await queryRows('select customer_id::int, service_id::int, service_item_id is not null as item from usage_record order by external_id'),
  ).toEqual([
    { customer_id: market.one, service_id: market.voice, item: true },
    { customer_id: market.one, service_id: market.data, item: true },
  ])
})

test('[OPS-03] numbers of a JSON line keep the digits with which they are written', async () => {
  const line = usageJson([{}])
    .replace('"units":"2.5"', '"units":1234567890123.123456789012345678')
    .replace('"price":"0.35"', '"price":1e-18')
  await load(line)
  expect(await queryRows('select units::text, price::text from usage_record')).toEqual([
    { units: '1234567890123.123456789012345678', price: '0.000000000000000001' },
  ])
})

const bad = (record: SampleRecord): string => usageCsv([{}, record, {}])
const long = 'x'.repeat(5_000_000)

test.each<[string, () => string | Uint8Array, string[]]>([
  ['an unknown customer', () => bad({ customer: 'C9' }), ['line 3: customer: the reseller has no customer "C9"']],
  ['an unknown service', () => bad({ service: 'Fax' }), ['line 3: service: the reseller has no service "Fax"']],
  [
    'a record type of another service',
    () => bad({ service: '4G Data' }),
    ['line 3: recordType: the service has no record type "National call"'],
  ],
  ['an unknown agreement', () => bad({ agreement: 'A9' }), ['line 3: agreement: the customer has no agreement "A9"']],
  [
    "another customer's agreement",
    () => bad({ customer: 'C2', agreement: 'A1' }),
    ['line 3: agreement: the customer has no agreement "A1"'],
  ],
  [
    "another customer's item",
    () => bad({ customer: 'C2', serviceItem: 'I1' }),
    ['line 3: serviceItem: the customer has no "I1" of this service'],
  ],
  [
    'an item of another service',
    () => bad({ service: '4G Data', recordType: 'Roaming', serviceItem: 'I1' }),
    ['line 3: serviceItem: the customer has no "I1" of this service'],
  ],
  [
    'a row with mistakes in several fields',
    () => bad({ date: '2026-02-30', units: 'many', price: '' }),
    ['line 3: date: "2026-02-30" is not a date and time; units: "many" is not a number; price: it is missing'],
  ],
  [
    'a row of unknown references, of which two follow from the others,',
    () => bad({ customer: 'C9', service: 'Fax', agreement: 'A9', serviceItem: 'I9' }),
    ['line 3: customer: the reseller has no customer "C9"; service: the reseller has no service "Fax"'],
  ],
  [
    'a row of further unknown references',
    () => bad({ recordType: 'Fax', agreement: 'A9', serviceItem: 'I9' }),
    [
      'line 3: serviceItem: the customer has no "I9" of this service; recordType: the service has no record type "Fax"; agreement: the customer has no agreement "A9"',
    ],
  ],
  ['a word for a number', () => bad({ units: 'many' }), ['line 3: units: "many" is not a number']],
  ['a price of 21 digits', () => bad({ price: '1e20' }), ['line 3: price: "1e20" is too large']],
  [
    'a row with semicolons in which two numbers may be two',
    () =>
      usageCsv([{}, { date: 'x', units: '1.234', price: '5:678' }])
        .replaceAll(',', ';')
        .replace('5:678', '5,678'),
    [
      'line 3: units: "1.234" can mean 1.234 or 1234; write a decimal point, no separator of thousands, and commas between the columns; price: "5,678" can mean 5.678 or 5678; write a decimal point, no separator of thousands, and commas between the columns; date: "x" is not a date and time',
    ],
  ],
  ['no price', () => bad({ price: '' }), ['line 3: price: it is missing']],
  ['no external id', () => bad({ externalId: ' ' }), ['line 3: externalId: it is missing']],
  ['a day that does not exist', () => bad({ date: '2026-02-30' }), ['line 3: date: "2026-02-30" is not a date and time']],
  ['a control character', () => bad({ site: 'Per\u001Bth' }), ['line 3: site: "Per\uFFFDth" holds a control character']],
  ['a NUL byte', () => bad({ site: 'Per\u0000th' }), ['line 3: it holds a NUL byte']],
  ['bytes that are not UTF-8', () => Buffer.from(bad({ site: 'Zürich' }), 'latin1'), ['line 3: it is not UTF-8 text']],
  ['a column too few', () => `${bad({})}a,b\n`, [`line 5: it has 2 columns; the header has ${COLUMNS.length}`]],
  [
    'a line of 5 MB',
    () => `${bad({})}${long}\n${usageCsv([{ externalId: 'z', units: '?' }]).split('\n')[1]}`,
    ['line 5: it is longer than 1 MiB', 'line 6: units: "?" is not a number'],
  ],
  ['a line of 5 MB without an end', () => `${bad({})}${long}`, ['line 5: it is longer than 1 MiB']],
  [
    'a quote that is never closed',
    () => `${usageCsv([{}])}"cdr-2,C1\n${usageCsv([{ externalId: 'z', units: '?' }]).split('\n')[1]}\n`,
    ['line 3: a quote is opened and never closed; the file may have been cut', 'line 4: units: "?" is not a number'],
  ],
  ['a quote amid a field', () => `${usageCsv([{}])}cdr"2"\n`, ['line 3: a quote stands inside a field that is not quoted']],
  [
    'a single quote amid a field',
    () => `${usageCsv([{}])}cdr"2\n${usageCsv([{ externalId: 'z', units: '?' }]).split('\n')[1]}\n`,
    ['line 3: a quote stands inside a field that is not quoted', 'line 4: units: "?" is not a number'],
  ],
  [
    'a quote that is never closed, before a quoted field',
    () => `${usageCsv([{}])}cdr-2,"C1\n"cdr-3",C1\n`,
    [
      'line 3: a quote is opened and never closed; the file may have been cut',
      `line 4: it has 2 columns; the header has ${COLUMNS.length}`,
    ],
  ],
  ['JSON that is no object', () => `${usageJson([{}])}[1]\n`, ['line 2: it is not a JSON object']],
  ['a JSON line that is none', () => `${usageJson([{}])}{"externalId": \n`, ['line 2: it is not JSON']],
  ['a JSON field that is unknown', () => `{"colour":"red"}\n`, ['line 1: "colour" is no field of usage']],
  ['a JSON field that is a list', () => usageJson([{}]).replace('"2.5"', '[2.5]'), ['line 1: units: it is neither text nor a number']],
  [
    'an external id that comes again and says something else',
    () => usageCsv([{ externalId: 'a' }, { externalId: 'b' }, { externalId: 'a', price: '9' }, { externalId: 'b', date: '2026-10-06' }]),
    [
      'line 4: externalId: line 2 has the same one and says something else',
      'line 5: externalId: line 3 has the same one and says something else',
    ],
  ],
  ['nothing at all', () => '', ['The file holds no rows; there is nothing to import.']],
  ['a header alone', () => usageCsv([]), ['The file holds no rows; there is nothing to import.']],
  [
    'a header without two columns',
    () =>
      usageCsv(
        [{}],
        COLUMNS.filter((name) => name !== 'units' && name !== 'service'),
      ),
    ['line 1: the header lacks service, units'],
  ],
  ['a column that stands there twice', () => usageCsv([{}], [...COLUMNS, 'site']), ['line 1: the header names the column site twice']],
  [
    'a column that nobody knows',
    () => usageCsv([{}], [...COLUMNS, 'colour']),
    [`line 1: the header has colour, which is no field of usage; the fields are ${COLUMNS.join(', ')}`],
  ],
  [
    'UTF-16',
    () => Buffer.from(`\uFEFF${usageCsv([{}])}`, 'utf16le'),
    ['The file is text in UTF-16, as Excel saves "Unicode Text". In the spreadsheet, save the sheet as "CSV UTF-8", and import that.'],
  ],
  [
    'a gzip file that was cut',
    () => gzipSync(usageCsv(MANY_RECORDS)).subarray(0, -20),
    ['The file is compressed with gzip, and cut or damaged.'],
  ],
])('[OPS-03] %s is refused with its line, and nothing is left of the file', async (_what, file, reasons) => {
  expect(await expectRejection(file())).toEqual(reasons)
})

test('[OPS-03] what a name means must be clear: two services of one name are refused, unless the external id is named', async () => {
  await insertRow(context, market.id, 'service', { reseller_id: market.id, external_id: 'V2', name: 'Voice' })
  await insertRow(context, market.id, 'service_item', { customer_id: market.one, service_id: market.voice, service_item: 'I9' })
  await insertRow(context, market.id, 'service_item', { customer_id: market.one, service_id: market.voice, service_item: 'I9' })
  expect(await expectRejection(usageCsv([{ service: 'Voice' }, { serviceItem: 'I9' }]))).toEqual([
    'line 2: service: the reseller has more than one "Voice"; name its external id',
    'line 3: serviceItem: the customer has more than one "I9" of this service; name its external id',
  ])
})

test('[OPS-03] a field may run over lines, and what comes after is counted on', async () => {
  expect(await load(usageCsv([{ site: 'Level 1\nPerth' }, {}]))).toMatchObject({ imported: 2 })
  expect(await queryRows(`select site from usage_record where site is not null`)).toEqual([{ site: 'Level 1 Perth' }])
  await expect(load(usageCsv([{ externalId: 'z', site: 'a\r\nb\nc' }, { units: 'x' }], COLUMNS, '\r\n'))).rejects.toMatchObject({
    found: { rejected: 1, firstRejected: [{ line: 5, reason: 'units: "x" is not a number' }] },
  })
})

test('[OPS-03] a repeated file adds only what is missing, and equal records of one file count once', async () => {
  expect(await load(usageCsv(MANY_RECORDS.slice(0, 40)))).toMatchObject({ rows: 40, imported: 40, repeated: 0 })
  expect(await load(usageCsv(MANY_RECORDS))).toMatchObject({ rows: 60, imported: 20, repeated: 40 })
  expect(await load(usageCsv([...MANY_RECORDS, { ...MANY_RECORDS[0], externalId: 'cdr-1', price: '0.00' }]))).toMatchObject({
    rows: 61,
    imported: 0,
    repeated: 61,
  })
  expect(await records()).toBe(60)
  expect(await miscounts()).toEqual([])
})

test('[OPS-03] --skip-bad imports the good rows, and the file of rejects holds the others', async () => {
  const rejects = join(folder, 'rejects.csv')
  const { exit, out, err } = await command(usageCsv([{}, { customer: 'no "such" one, ever' }, {}, { units: 'x' }]), {
    skipBad: true,
    rejects,
  })
  expect([exit, await records()]).toEqual([0, 2])
  expect(err).toEqual(['line 3: customer: the reseller has no customer "no "such" one, ever"', 'line 5: units: "x" is not a number'])
  expect(out.at(-3)).toBe('4 rows read: 2 imported, 0 repeated, 2 rejected.')
  expect(readFileSync(rejects, 'utf8')).toBe(
    'line,reason\n3,"customer: the reseller has no customer ""no ""such"" one, ever"""\n5,"units: ""x"" is not a number"\n',
  )
  expect(statSync(rejects).mode & 0o777).toBe(0o600)
})

test('[OPS-03] numbers that are rounded are counted in the rows that are read, and not in bad ones', async () => {
  const units = '0.3333333333333333333'
  expect(await load(usageCsv([{ units }, { units, price: 'x' }, { units, costCentre: 'x'.repeat(300) }]), { skipBad: true })).toMatchObject(
    {
      imported: 1,
      rejected: 2,
      rounded: 1,
    },
  )
})

test('[OPS-03] usage before the customer’s first billing period, more than a day ahead, or with a negative price is imported, counted and told', async () => {
  const day = (days: number): string => new Date(context.clock().getTime() + days * 86_400_000).toISOString()
  await insertRow(context, market.id, 'billing_period', {
    customer_id: market.one,
    external_id: 'P1',
    starts_on: '2026-02-01',
    ends_on: '2026-02-28',
  })
  await insertRow(context, market.id, 'billing_period', {
    customer_id: market.one,
    external_id: 'P2',
    starts_on: '2026-03-01',
    ends_on: '2026-03-31',
  })
  const plain = [{ date: '2026-02-01' }, { customer: 'C2', date: '1999-12-31' }, { date: day(0.9) }]
  expect(await load(usageCsv(plain))).toMatchObject({ unusual: { beforeFirstPeriod: 0, moreThanADayAhead: 0, negativePrices: 0 } })
  const odd = [
    { externalId: 'early', date: '2026-01-31T23:59:59.999999Z' },
    { externalId: 'late', date: day(1.1), price: '-0.01' },
    { externalId: 'minus', price: '-3' },
    { externalId: 'bad', customer: 'C9', price: '-3' },
  ]
  const path = join(folder, 'odd.csv')
  writeFileSync(path, usageCsv(odd))
  const { out } = await runCommand(context, 'import', 'usage', path, '--reseller', String(market.id), '--skip-bad')
  expect(out).toContain(
    'Note: Look at 1 row dated before the first billing period of the customer, 1 row dated more than a day ahead, 2 rows with a negative price.',
  )
})

test('[OPS-03] a file of nothing but bad rows is refused even so', async () => {
  await expect(load(usageCsv([{ units: 'x' }]), { skipBad: true })).rejects.toThrow(
    'Every one of the 1 rows is bad; there is nothing to import.',
  )
})

test('[OPS-03] more bad rows than fit one page are all reported, in the order of lines', async () => {
  const lines: number[] = []
  const many = Array.from({ length: 20_500 }, (_, at) => ({ customer: at % 41 === 0 ? 'C1' : 'nobody' }))
  const imported = await load(usageCsv(many), { skipBad: true, reject: async ({ line }) => void lines.push(line) }, 65_536)
  expect(imported).toMatchObject({ imported: 500, rejected: 20_000 })
  expect(lines).toEqual(many.flatMap(({ customer }, at) => (customer === 'nobody' ? [at + 2] : [])))
})

test('[OPS-03] the reseller must be there, and another one’s customers are unknown', async () => {
  await expect(load(usageCsv([{}]), { reseller: 'Nobody at all' })).rejects.toThrow('There is no reseller named Nobody at all.')
  await expect(load(usageCsv([{}]), { reseller: '99999' })).rejects.toThrow('There is no reseller with the id 99999.')
  const foreign = market.one
  market = await addMarket()
  expect(await expectRejection(usageCsv([{ customer: String(foreign) }]))).toEqual([
    `line 2: customer: the reseller has no customer "${foreign}"`,
  ])
})

test('[OPS-03] a load whose audit entry or list of bad rows cannot be written stores nothing', async () => {
  const fail = () => Promise.reject(new Error('no space left on device'))
  await expect(load(usageCsv([{}]), { audit: fail })).rejects.toThrow('no space left')
  await expect(load(usageCsv([{}, { units: 'many' }]), { skipBad: true, reject: fail })).rejects.toThrow('no space left')
  expect([await records(), await miscounts(), await findRemainingLoads()]).toEqual([0, [], []])
})

test('[OPS-03] two loads at once give the same as one after the other', async () => {
  const [one, two] = await Promise.all([
    load(usageCsv(MANY_RECORDS)),
    load(usageCsv(MANY_RECORDS.toReversed().map((record, at) => ({ ...record, externalId: `cdr-${60 - at}` })))),
  ])
  expect(one.imported + two.imported).toBe(60)
  expect(one.repeated + two.repeated).toBe(60)
  expect(await records()).toBe(60)
  expect(await miscounts()).toEqual([])
  expect(await findRemainingLoads()).toEqual([])
})

test('[OPS-03] what a dead load left in the staging is invisible, and a later load removes it', async () => {
  const dead = '6f0e5c1e-0000-4000-8000-000000000001'
  await context.store.transact({ role: 'owner' }, async (db) => {
    await sql`select open_import_staging(${dead}::uuid), create_usage_staging(${dead}::uuid)`.execute(db)
    await sql`update import_staging set alive_at = now() - interval '361 minutes'`.execute(db)
  })
  expect(await findRemainingLoads()).toHaveLength(3)
  expect(await load(usageCsv([{}]))).toMatchObject({ imported: 1 })
  expect(await findRemainingLoads()).toEqual([])
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
  const exit = await dispatchCommand('import usage', context, io, ['file.csv'], { reseller: String(market.id), ...options })
  return { exit, out, err }
}

test('[OPS-03] with --json the command prints one object, also when it refuses', async () => {
  const good = await command(usageCsv(MANY_RECORDS), {}, true)
  expect([good.exit, good.out.length]).toEqual([0, 1])
  expect(JSON.parse(good.out[0] ?? '')).toMatchObject({
    rows: 60,
    imported: 60,
    repeated: 0,
    rejected: 0,
    rowsPerSecond: expect.any(Number),
  })
  const refused = await command(usageCsv([{ units: 'x' }, {}]), {}, true)
  expect([refused.exit, refused.out.length]).toEqual([1, 1])
  expect(JSON.parse(refused.out[0] ?? '')).toMatchObject({
    error: '1 bad row in the file; nothing was imported.',
    rows: 2,
    imported: 0,
    rejected: 1,
  })
})

test('[OPS-03] a file of rejects that cannot be written, or would take the place of the file itself, stops the import before it begins', async () => {
  await expect(command(usageCsv([{}]), { rejects: join(folder, 'no', 'such', 'folder') })).rejects.toThrow(
    'cannot be written: its folder is not there',
  )
  await expect(command(usageCsv([{}]), { rejects: 'file.csv' })).rejects.toThrow('would take the place of the file to import')
  expect(await records()).toBe(0)
})

/** Runs the command through the server's socket, with this standard input. */
const runThroughSocket = async (input: () => AsyncIterable<Uint8Array>) => {
  const close = await listenForCommands(context)
  const out: string[] = []
  const err: string[] = []
  try {
    const errand = { command: 'import usage', args: ['-'], options: { reseller: String(market.id) }, json: true }
    const exit = await runOnServer(folder, errand, { out: (line) => void out.push(line), err: (line) => void err.push(line), input })
    return { exit, out, err }
  } finally {
    await close()
  }
}

test('[OPS-03] standard input goes through the socket of a running server, whatever its size', async () => {
  const many = Array.from({ length: 3_000 }, (_, at) => ({ date: `2026-10-0${1 + (at % 9)}`, site: 'x'.repeat(200) }))
  const { exit, out, err } = await runThroughSocket(() => source(usageCsv(many)).open())
  expect([exit, err, JSON.parse(out[0] ?? '{}')]).toEqual([0, [], expect.objectContaining({ rows: 3_000, imported: 3_000 })])
  expect(await records()).toBe(3_000)
})

test('[OPS-03] an input that breaks off on its way to the server is never taken for the whole', async () => {
  const broken = async function* () {
    yield Buffer.from(usageCsv(MANY_RECORDS))
    throw new Error('the pipe broke')
  }
  await expect(runThroughSocket(broken)).rejects.toThrow('The input could not be read to its end. Nothing was imported.')
  expect(await records()).toBe(0)
})

test('[OPS-03] a refusal before the end of the input is reported, and the rest of the input is ignored', async () => {
  let leave: () => void
  const left = new Promise<void>((resolve) => (leave = resolve))
  const endless = async function* () {
    try {
      yield Buffer.from('colour\n')
      for (;;) yield Buffer.alloc(65_536, 'x')
    } finally {
      leave()
    }
  }
  const { exit, err } = await runThroughSocket(endless)
  expect([exit, err]).toEqual([1, [expect.stringContaining('line 1: the header has colour')]])
  await left
})

const randomRecord = fc.record({
  externalId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  customer: fc.constantFrom('C1', 'C1', 'C2', 'C3'),
  date: fc.constantFrom('2026-10-05', '2026-10-05', '2026-10-06T01:00:00+02:00', '2026-11-31'),
  recordType: fc.constantFrom('VN', 'VN', 'Roaming', 'none'),
  price: fc.constantFrom('1', '1.0', '2', 'x'),
  site: fc.constantFrom('', 'Perth', 'a,b', 'say "no"', 'two\nlines', '=1+1'),
})

/** The expected result: the first good record of an id counts, unless it existed before; one that says something else is bad. */
const expectedResult = (known: Map<string, string>, file: readonly SampleRecord[]) => {
  const first = new Map<string, string>()
  const counts = { imported: 0, repeated: 0, rejected: 0 }
  for (const { externalId = '', customer = '', date = '', recordType = '', price = '', site = '' } of file) {
    const isBad = customer === 'C3' || date === '2026-11-31' || recordType === 'none' || price === 'x'
    const says = JSON.stringify([date, recordType, Number(price), site])
    const before = first.get(`${customer}/${externalId}`)
    const stored = known.get(`${customer}/${externalId}/${date}`)
    const isContradiction = before !== undefined && before !== says
    if (!isBad && before === undefined) first.set(`${customer}/${externalId}`, says)
    if (isBad || isContradiction || (stored !== undefined && stored !== says)) counts.rejected += 1
    else if (stored === says) counts.repeated += 1
    else {
      counts.imported += 1
      known.set(`${customer}/${externalId}/${date}`, says)
    }
  }
  return counts
}

test('[OPS-03] random files, loaded one after another with --skip-bad, come to what a plain reading of the rules gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(randomRecord, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 3 }), async (files) => {
      await deleteAllUsage(context, market.id)
      const known = new Map<string, string>()
      for (const [at, file] of files.entries()) {
        const before = known.size
        const { imported, repeated, rejected } = expectedResult(known, file)
        const loading = load(at === 1 ? usageJson(file) : usageCsv(file), { skipBad: true }, 61)
        if (rejected === file.length) await expect(loading).rejects.toThrow('there is nothing to import')
        else expect(await loading).toMatchObject({ rows: file.length, imported, repeated, rejected })
        expect(known.size).toBe(before + imported)
      }
      expect(await records()).toBe(known.size)
      expect(await miscounts()).toEqual([])
    }),
    { numRuns: 15 },
  )
})

test.runIf(testDatabase.kind === 'postgres')('[OPS-03] a new month does not wait for those who read usage, nor they for it', async () => {
  await load(usageCsv([{}]))
  const imported = await context.store.transact({ role: 'counterfoil_reseller', resellerId: market.id }, async (db) => {
    await sql`select count(*) from usage_record`.execute(db)
    return load(usageCsv([{ date: '2031-03-01' }]))
  })
  expect(imported).toMatchObject({ imported: 1 })
})

/** Resolves when a load is in the middle of its insertion, as seen in the database. On Citus the lock is a worker's. */
const waitUntilBlocked = async (loading: ChildProcess): Promise<void> => {
  const isOnWorkers = testDatabase.kind === 'postgres' && testDatabase.workerUrls.length > 0
  const waiting = isOnWorkers
    ? `select from citus_lock_waits where blocked_statement like '%insert into usage_record%'`
    : `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into usage_record%' and datname = current_database()`
  while ((await queryAsAdministrator(context, waiting)).length === 0) {
    if (loading.exitCode !== null) throw new Error('the load ended before it could be killed')
    await context.store.pools.interactive.query('select pg_sleep(0.05)')
  }
}

test.runIf(testDatabase.kind === 'postgres')(
  '[OPS-03] a load that is killed in the middle leaves nothing to be seen, and the next one adds everything',
  async () => {
    const path = join(folder, 'killed.csv')
    writeFileSync(path, usageCsv(MANY_RECORDS))
    const { rows } = await context.store.pools.interactive.query<{ name: string }>('select current_database()::text as name')
    const url = new URL(testDatabase.kind === 'postgres' ? testDatabase.ownerUrl : '')
    url.pathname = rows[0]?.name ?? ''
    const program = fileURLToPath(new URL('../../counterfoil.ts', import.meta.url))
    const as = { role: 'counterfoil_loader', resellerId: market.id } as const
    await context.store.transact({ role: 'owner' }, (db) => ensureMonths(db, ['2026-09-01', '2026-10-01']))
    const hold = async (db: Db): Promise<ChildProcess> => {
      // Another session holds the file's last record, so that the load blocks in the middle of its statement.
      await sql`insert into usage_record (reseller_id, customer_id, usage_at, service_id, record_type_id, units, price, external_id)
      values (${market.id}, ${market.two}, '2026-10-28', ${market.voice}, 1, 1, 1, 'cdr-28')`.execute(db)
      const loading = spawn(process.execPath, [program, 'import', 'usage', path, '--reseller', String(market.id)], {
        env: { ...process.env, DATABASE_URL: url.href, DATA_DIR: folder, MASTER_KEY: masterKey },
        stdio: 'ignore',
      })
      const ended = once(loading, 'exit')
      try {
        await waitUntilBlocked(loading)
      } finally {
        loading.kill('SIGKILL')
        await ended
      }
      await sql`delete from usage_record where external_id = 'cdr-28' and customer_id = ${market.two}`.execute(db)
      return loading
    }
    const child = await context.store.transact(as, hold, { pool: 'background' }) // may stand still while a busy machine starts the program
    expect(child.signalCode).toBe('SIGKILL')
    expect(await records()).toBe(0)
    expect(await load(usageCsv(MANY_RECORDS))).toMatchObject({ imported: 60 })
    expect(await records()).toBe(60)
    expect(await miscounts()).toEqual([])
  },
)
