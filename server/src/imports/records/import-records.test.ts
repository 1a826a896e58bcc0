import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clientFor } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { addBrand, addPerson, addReseller, changeReseller, openSession } from '../../../test/support/people.ts'
import { issueAccessToken } from '../../session/tokens.ts'
import type { RecordsImport } from './records-import.ts'
import { IMPORT_KINDS } from './kinds.data.ts'

let context: TestContext
let app: FastifyInstance
let reseller: number
let brand: number
let last = 0
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-records-'))

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  last += 1
  reseller = await addReseller(context, { payments_enabled: true })
  brand = await addBrand(context, reseller)
})

const file = (content: string | Buffer, name = 'records.csv'): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const csv = (...lines: string[]): string => file(`${lines.join('\n')}\n`)
const load = (kind: string, path: string, ...more: string[]): Promise<RecordsImport> =>
  runJsonCommand<RecordsImport>(context, 'import', kind, path, '--reseller', String(reseller), ...more)
const tryImport = (kind: string, path: string, ...more: string[]) =>
  runCommand(context, 'import', kind, path, '--reseller', String(reseller), ...more)
const rows = (query: string, resellerId = reseller): Promise<Record<string, unknown>[]> =>
  context.store.transact(
    { role: 'counterfoil_reseller', resellerId },
    async (db) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows,
  )
const counts = ({ rows: all, added, changed, unchanged, repeated, rejected }: RecordsImport) => [
  all,
  added,
  changed,
  unchanged,
  repeated,
  rejected,
]

/** A customer C1 with a user; billing comes from the test's files. */
const customers = async (): Promise<void> => {
  await load('customers', csv('externalId,name,brand,currency', `C1,Harbour Lights,${brand},AUD`, `C2,Kobe Kaisha,${brand},jpy`))
}

test('[OPS-03] customers whose names no font can print are imported, and named in the result', async () => {
  const path = csv('externalId,name,brand,currency', `C1,東京電力,${brand},JPY`, `C2,Łódź شركة Հայ,${brand},EUR`)
  const { notes } = await load('customers', path)
  expect(notes).toEqual(['1 name has letters that no font here has (東 京 電 力): 東京電力. PDFs show □ in their place.'])
  expect((await tryImport('customers', path)).out).toContain('Note: 1 name has letters')
})

/** One file of each kind, in the order of IMPORT_KINDS. */
const WORLD: Record<string, string[]> = {
  customers: ['externalId,name,address,brand,currency', 'C1,Harbour Lights,1 Mill Lane; Perth,BRAND,AUD'],
  users: ['externalId,username,name,email,brand,customers', 'U1,USER,Ann Lee,ann@example.com,BRAND,C1'],
  services: ['externalId,name,serviceItemLabel', 'S1,4G Data,SIM card'],
  'record-types': ['externalId,service,description', 'R1,S1,Data at home'],
  agreements: ['externalId,customer,name', 'A1,C1,Fleet'],
  periods: ['externalId,customer,agreement,periodStart,periodEnd', 'P1,C1,A1,2026-10-01,2026-10-31'],
  'service-items': ['externalId,customer,service,serviceItem,description', 'I1,C1,S1,0491 570 156,Van 1'],
  invoices: [
    'externalId,customer,agreement,period,number,netAmount,amount,amountDue,dateInvoice,dateDue,status',
    'N1,C1,A1,P1,INV-1,100.00,110.00,110,2026-11-01,2026-11-30,open',
  ],
  'invoice-lines': ['customer,invoice,lineNo,serviceName,description,amount', 'C1,INV-1,1,4G Data,October,100.00'],
  'invoice-taxes': ['customer,invoice,taxNo,name,ratePercent,base,amount', 'C1,N1,1,GST,10,100.00,10.00'],
  transactions: [
    'externalId,customer,period,invoice,service,productLabel,productName,price,quantity,extraField1',
    'T1,C1,P1,INV-1,S1,Data plan,PLAN,99.9999,1.5,north',
  ],
  bundles: ['externalId,customer,name', 'B1,C1,Team bundle'],
  'bundle-products': ['customer,bundle,productNo,productName,quantity,unitLabel,consumption', 'C1,B1,1,Data,100,GB,42.5'],
  balances: ['customer,balance,asOf', 'C1,12.34,2026-11-01'],
  'data-usage': ['customer,date,gigabytes', 'C1,2026-11-02,1.25'],
}
const worldFile = (kind: string): string =>
  csv(...(WORLD[kind] ?? []).map((line) => line.replaceAll('BRAND', String(brand)).replace('USER', `ann-${last}`)))

test('[OPS-03] every kind of record comes in from a file, in their order, and again without changing anything', async () => {
  expect(Object.keys(WORLD)).toEqual(IMPORT_KINDS.map(({ name }) => name))
  for (const { name } of IMPORT_KINDS) expect(counts(await load(name, worldFile(name))), name).toEqual([1, 1, 0, 0, 0, 0])
  for (const { name } of IMPORT_KINDS) expect(counts(await load(name, worldFile(name))), name).toEqual([1, 0, 0, 1, 0, 0])
  expect(await rows('select address_lines, currency, currency_symbol from customer')).toEqual([
    { address_lines: ['1 Mill Lane', 'Perth'], currency: 'AUD', currency_symbol: '$' },
  ])
  expect(await rows('select net_minor, amount_due_minor, status, generated_at from invoice')).toEqual([
    { net_minor: 10_000, amount_due_minor: 11_000, status: 1, generated_at: new Date('2026-11-01T00:00:00Z') },
  ])
  expect(await rows('select octet_length(pay_token_hash) as n from invoice')).toEqual([{ n: 32 }])

  const [user] = await rows('select id from app_user')
  const [customer] = await rows('select id from customer')
  const person = { id: String(user?.['id']), username: `ann-${last}` }
  const session = await openSession(context, person, 'counterfoil-portal')
  const claims = { sid: session.id, sub: person.id, BrandId: brand, resellername: '', ResellerId: reseller, DisplayName: 'Ann Lee' }
  const client = clientFor(app, { accessToken: await issueAccessToken(context.keys, claims, context.clock()) }, Number(customer?.['id']))
  const answer = async (url: string): Promise<unknown> => (await client.get(`/v1/ec/${url}`)).json()
  expect(await answer('invoices')).toMatchObject([{ number: 'INV-1', amount: 110, amountDue: 110, canPay: true }])
  expect(await answer('agreements')).toMatchObject([{ agreementName: 'Fleet' }])
  expect(await answer('opening-balance')).toEqual({ balance: 12.34, asOf: '2026-11-01' })
  expect(await answer('bundle-widget')).toMatchObject([{ bundleName: 'Team bundle', bundle_products: [{ consumption: 42.5 }] }])
  expect(await answer('service-items')).toMatchObject([{ serviceItem: '0491 570 156', description: 'Van 1' }])
  const [period] = await rows('select id from billing_period')
  expect(await answer(`transactions?period=${String(period?.['id'])}`)).toMatchObject([
    { productLabel: 'Data plan', invoiceNumber: 'INV-1', quantity: 1.5 },
  ])
})

test('[OPS-03] a record is known by its external id: the file’s values are updated, missing fields stay, an empty value clears', async () => {
  await customers()
  await load('services', csv('externalId,name', 'S1,Voice'))
  const header = 'externalId,customer,service,serviceItem,description,site'
  await load('service-items', csv(header, 'I1,C1,S1,0491,Van,North', 'I2,C1,Voice,0492,Car,South'))
  expect(
    counts(await load('service-items', csv('externalId,customer,service,serviceItem,site', 'I1,C1,S1,0499,', 'I2,C1,S1,0492,South'))),
  ).toEqual([2, 0, 1, 1, 0, 0])
  const json = file(
    '{"externalId":"I2","customer":"C1","service":"S1","serviceItem":"0492","description":null}\n{"externalId":"I3","customer":"C1","service":"S1","serviceItem":"0493"}\n',
  )
  expect(counts(await load('service-items', json))).toEqual([2, 1, 1, 0, 0, 0])
  expect(await rows('select external_id, service_item, description, site from service_item order by id')).toEqual([
    { external_id: 'I1', service_item: '0499', description: 'Van', site: null },
    { external_id: 'I2', service_item: '0492', description: null, site: 'South' },
    { external_id: 'I3', service_item: '0493', description: null, site: null },
  ])
})

test('[OPS-03] a dry run says what would come of it and keeps nothing, bad rows and all', async () => {
  const path = csv('externalId,name,brand', `C1,One,${brand}`, `C2,Two,${brand}`, 'C3,Three,nowhere')
  const result = await tryImport('customers', path, '--dry-run', '--skip-bad')
  expect(result.exit).toBe(0)
  expect(result.out).toContain('3 rows: 2 added, 0 changed, 0 as before.\nThis was a dry run: nothing was kept.')
  expect(result.err).toContain('line 4: brand: the reseller has no brand "nowhere"')
  expect(await rows('select from customer')).toEqual([])
  expect(await tryImport('customers', path, '--dry-run')).toMatchObject({ exit: 1 })
})

test('[OPS-03] all or nothing, unless --skip-bad; the bad rows stand in the file of rejects by line and reason', async () => {
  const path = csv('externalId,name,brand', `C1,One,${brand}`, `,Two,${brand}`, `C3,"Three, broken,${brand}`, `C4,Four,${brand}`)
  const refused = await tryImport('customers', path, '--json')
  expect(refused.exit).toBe(1)
  expect(JSON.parse(refused.out)).toMatchObject({
    rows: 4,
    rejected: 2,
    firstRejected: [{ line: 3, reason: 'externalId: it is missing' }, { line: 4 }],
  })
  expect(await rows('select from customer')).toEqual([])
  const rejects = join(folder, 'rejects.csv')
  expect(counts(await load('customers', path, '--skip-bad', '--rejects', rejects))).toEqual([4, 2, 0, 0, 0, 2])
  expect(readFileSync(rejects, 'utf8')).toMatch(/^line,reason\n3,externalId: it is missing\n4,.+\n$/)
})

const HEADER = 'externalId,customer,name'
const BAD: [string, () => string | Buffer, RegExp][] = [
  [
    'a wrong header',
    () => 'id,customer,name\nA1,C1,x\n',
    /the header has id, which is no field of agreements; the fields are externalId, customer, name/,
  ],
  ['a header that lacks a field', () => 'externalId,customer\nA1,C1\n', /the header lacks name/],
  ['a column twice', () => 'externalId,customer,name,name\nA1,C1,x,y\n', /names the column name twice/],
  ['nothing', () => '', /holds no rows/],
  ['a header alone', () => `${HEADER}\n`, /holds no rows/],
  ['one id for two things', () => `${HEADER}\nA1,C1,x\nA1,C1,y\n`, /line 3: line 2 is about the same one and says something else/],
  ['an unknown customer', () => `${HEADER}\nA1,C9,x\n`, /line 2: customer: the reseller has no customer "C9"/],
  ['a line of 5 MB', () => `${HEADER}\nA1,C1,${'x'.repeat(5_000_000)}\nA2,C1,y\n`, /line 2: it is longer than 1 MiB/],
  ['a value that is too long', () => `${HEADER}\nA1,C1,${'x'.repeat(300)}\n`, /line 2: name: .* is longer than 256 bytes/],
  [
    'no UTF-8',
    () => Buffer.concat([Buffer.from(`${HEADER}\nA1,C1,caf`), Buffer.from([0xe9]), Buffer.from('\n')]),
    /line 2: it is not UTF-8 text/,
  ],
  ['UTF-16', () => Buffer.from(`${HEADER}\nA1,C1,x\n`, 'utf16le'), /line 1: it holds a NUL byte/],
  ['a NUL byte', () => `${HEADER}\nA1,C1,a\0b\n`, /line 2: it holds a NUL byte/],
  ['a row cut in its middle', () => `${HEADER}\nA1,C1,x\nA2,C`, /line 3: it has 2 columns; the header has 3/],
  ['a quote that never closes', () => `${HEADER}\nA1,C1,"x\nA2,C1,y\n`, /line 2: a quote is opened and never closed/],
  [
    'gzip cut in its middle',
    () => gzipSync(`${HEADER}\nA1,C1,${'xyz'.repeat(2_000)}\n`).subarray(0, 30),
    /compressed with gzip, and cut or damaged/,
  ],
  ['JSON cut in its middle', () => '{"externalId":"A1","customer":"C1","name":"x"}\n{"externalId":"A2","cust', /line 2: it is not JSON/],
  ['a JSON list', () => '[{"externalId":"A1"}]\n', /line 1: it is not a JSON object/],
  [
    'a JSON field that is none',
    () => '{"externalId":"A1","customer":"C1","name":"x","__proto__":"y","extra":1}\n',
    /is no field of agreements/,
  ],
  ['a JSON object in a field', () => '{"externalId":"A1","customer":{"$ne":1},"name":"x"}\n', /customer: it is neither text nor a number/],
  ['SQL in a value', () => `${HEADER}\n"A1","x'); drop table customer; --",x\n`, /has no customer "x'\); drop table customer; --"/],
]

test.each(BAD)('[OPS-03] a file with %s is refused in a sentence, and nothing is lost', async (_what, content, reason) => {
  await customers()
  await load('agreements', csv(HEADER, 'A0,C1,before'))
  const { exit, err } = await tryImport('agreements', file(content()))
  expect([exit, err]).toEqual([1, expect.stringMatching(reason) as string])
  expect(await rows('select external_id, name from agreement')).toEqual([{ external_id: 'A0', name: 'before' }])
  expect(await rows('select from record_import_row')).toEqual([])
})

const FIELDS: [string, string, string, RegExp][] = [
  ['invoices', 'amount', '10.005', /amount: "10.005" has more decimals than the currency/],
  ['invoices', 'amount', 'ten', /amount: "ten" is not a number/],
  ['invoices', 'amount', '1e15', /amount: "1e15" is too large/],
  ['invoices', 'amount', 'NaN', /is not a number/],
  ['invoices', 'dateDue', '2026-02-30', /dateDue: "2026-02-30" is not a day, as 2026-10-31 is/],
  ['invoices', 'dateDue', '2026-10-01', /dateDue: "2026-10-01" is before dateInvoice/],
  ['invoices', 'dateDue', '2026-12-01T10:00:00Z', /days have no time here/],
  ['invoices', 'status', 'in collection', /status: "in collection" is none of open, overdue, credited, paid/],
  ['invoices', 'status', 'paid', /a paid invoice has nothing due/],
  ['invoices', 'period', 'P9', /period: the customer has no period "P9"/],
  ['customers', 'currency', 'dollars', /currency: "dollars" is not a currency/],
  ['customers', 'currency', 'USD', /currency: the customer is billed in another one than "USD"/],
  ['users', 'email', 'ann at example', /is not an email address/],
  ['users', 'username', 'ann lee', /is not a username/],
  ['users', 'customers', 'C1; C9', /names a customer that the reseller does not have/],
  ['periods', 'periodEnd', '2026-09-30', /periodEnd: "2026-09-30" is before periodStart/],
  ['record-types', 'service', 'S9', /service: the reseller has no service "S9"/],
  ['invoice-lines', 'lineNo', '0', /lineNo: "0" is not a whole number from 1 on/],
  ['transactions', 'quantity', '1,500', /quantity: "1,500" can mean 1.500 or 1500/],
  ['data-usage', 'gigabytes', '-1', /gigabytes: it is below nothing/],
  ['balances', 'balance', '0.001', /more decimals than the currency/],
]

test.each(FIELDS)('[OPS-03] %s: a bad %s (%s) is a bad row', async (kind, field, value, reason) => {
  for (const { name } of IMPORT_KINDS) await load(name, worldFile(name))
  const [header = '', row = ''] = (WORLD[kind] ?? []).map((line) => line.replaceAll('BRAND', String(brand)).replace('USER', `ann-${last}`))
  const [names, values] = [header.split(','), row.split(',')]
  if (!names.includes(field)) [names[names.length], values[values.length]] = [field, '']
  values[names.indexOf(field)] = `"${value}"`
  const { exit, err } = await tryImport(kind, csv(names.join(','), values.join(',')))
  expect([exit, err]).toEqual([1, expect.stringMatching(reason) as string])
})

test('[OPS-03] the first mistake of each field of a row is told at once', async () => {
  for (const { name } of IMPORT_KINDS) await load(name, worldFile(name))
  const header = 'externalId,customer,agreement,period,number,netAmount,amount,amountDue,dateInvoice,dateDue'
  const row = async (line: string): Promise<string> => (await tryImport('invoices', csv(header, line))).err.split('\n')[0] ?? ''
  expect(await row('N2,C1,A9,P9,INV-1,1.001,2.002,9,2026-11-01,2026-11-30')).toBe(
    'line 2: agreement: the customer has no agreement "A9"; period: the customer has no period "P9"; netAmount: "1.001" has more decimals than the currency; amount: "2.002" has more decimals than the currency; number: "INV-1" is the number of another invoice of this customer; amountDue: 9 is not a part of 2.002; of an open invoice more than 0 is due, and at most its amount',
  )
  expect(await row(',C1,A1,P1,INV-2,ten,1.00,1.00,2026-11-31,yesterday')).toBe(
    'line 2: externalId: it is missing; netAmount: "ten" is not a number; dateInvoice: "2026-11-31" is not a day, as 2026-10-31 is; dateDue: "yesterday" is not a day, as 2026-10-31 is',
  )
  expect(await row('N2,C9,A1,P1,INV-2,1.00,1.00,1.00,2026-11-01,2026-11-30')).toBe('line 2: customer: the reseller has no customer "C9"')
})

test('[OPS-03] amounts are exact in every currency: yen have no decimals, dollars two', async () => {
  await customers()
  const header = 'externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue'
  await load(
    'invoices',
    csv(
      header,
      'N1,C1,1,0.10,0.1,0.1,2026-11-01,2026-11-30',
      'N2,C2,1,1000,1100,1100,2026-11-01,2026-11-30',
      'N3,C1,3,-5.5,-5.5,0,2026-11-01,2026-11-30',
    ),
  )
  expect(await rows('select net_minor, amount_minor, currency from invoice order by id')).toEqual([
    { net_minor: 10, amount_minor: 10, currency: 'AUD' },
    { net_minor: 1_000, amount_minor: 1_100, currency: 'JPY' },
    { net_minor: -550, amount_minor: -550, currency: 'AUD' },
  ])
  expect(await tryImport('invoices', csv(header, 'N9,C2,9,10.5,10.5,10.5,2026-11-01,2026-11-30'))).toMatchObject({ exit: 1 })
  expect(await tryImport('invoices', csv(header, 'N8,C1,1,1,1,1,2026-11-01,2026-11-30'))).toMatchObject({
    err: expect.stringContaining('is the number of another invoice') as string,
  })
})

test('[OPS-03] an invoice that was paid here is not reopened by a file that has it as open', async () => {
  await customers()
  const header = 'externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue,status'
  const line = 'N1,C1,1,10,10,10,2026-11-01,2026-11-30,open'
  await load('invoices', csv(header, line))
  await rows('update invoice set status = 11, amount_due_minor = 0')
  const second = await load('invoices', csv(header, line.replace('2026-11-30', '2026-12-01')))
  expect([second.changed, second.kept]).toEqual([1, 1])
  expect(await rows('select status, amount_due_minor, due_on from invoice')).toEqual([
    { status: 11, amount_due_minor: 0, due_on: '2026-12-01' },
  ])
  await rows('update invoice set status = 1, amount_due_minor = 1000')
  await load('invoices', csv(header, line.replace('10,2026', '0,2026').replace('open', 'paid')))
  expect(await rows('select status, amount_due_minor from invoice')).toEqual([{ status: 11, amount_due_minor: 0 }])
})

test('[OPS-03] invoices bring their PDF files; what is no PDF, too large, away or outside the folder is a bad row', async () => {
  await customers()
  const pdfs = join(folder, `pdfs-${last}`)
  mkdirSync(join(pdfs, '2026'), { recursive: true })
  const bytes = Buffer.from('%PDF-1.7\nours\n%%EOF\n')
  writeFileSync(join(pdfs, '2026', 'one.pdf'), bytes)
  writeFileSync(join(pdfs, 'text.pdf'), 'Dear customer')
  writeFileSync(join(pdfs, 'large.pdf'), Buffer.concat([bytes, Buffer.alloc(20 * 1024 * 1024)]))
  writeFileSync(join(folder, 'outside.pdf'), bytes)
  symlinkSync(join(folder, 'outside.pdf'), join(pdfs, 'link.pdf'))
  const header = 'externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue,file'
  const line = (n: number, name: string): string => `N${n},C1,${n},10,10,10,2026-11-01,2026-11-30,${name}`
  for (const bad of [
    'text.pdf',
    'large.pdf',
    'absent.pdf',
    '../outside.pdf',
    join(folder, 'outside.pdf'),
    'link.pdf',
    '2026',
    '2026/../../outside.pdf',
  ])
    expect(await tryImport('invoices', csv(header, line(1, bad)), '--files', pdfs), bad).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^line 2: file: /) as string,
    })
  expect(await tryImport('invoices', csv(header, line(1, '2026/one.pdf')))).toMatchObject({
    exit: 1,
    err: expect.stringContaining('--files') as string,
  })
  expect(await tryImport('invoices', csv(header, line(1, '2026/one.pdf')), '--files', join(folder, 'nowhere'))).toMatchObject({ exit: 1 })
  expect(await rows('select from invoice')).toEqual([])
  await load('invoices', csv(header, line(1, '2026/one.pdf'), line(2, '')), '--files', pdfs)
  expect(await rows('select bytes from invoice_file')).toEqual([{ bytes }])
})

test('[OPS-03] one reseller’s file reaches nothing of another, though ids and names are the same', async () => {
  for (const { name } of IMPORT_KINDS) await load(name, worldFile(name))
  const theirs = await rows('select c.*, i.number, i.amount_minor from customer c join invoice i on i.customer_id = c.id')
  const first = reseller
  last += 1
  reseller = await addReseller(context)
  brand = await addBrand(context, reseller)
  for (const { name } of IMPORT_KINDS) expect(counts(await load(name, worldFile(name))), name).toEqual([1, 1, 0, 0, 0, 0])
  expect(await rows('select c.*, i.number, i.amount_minor from customer c join invoice i on i.customer_id = c.id', first)).toEqual(theirs)
  const user = await tryImport('users', csv('externalId,username,brand', `U9,ANN-${last - 1},${brand}`))
  expect(user).toMatchObject({ exit: 1, err: expect.stringContaining('belongs to somebody else') as string })
})

test('[OPS-03] users act for the customers that the file lists, and keep their password and what it does not speak of', async () => {
  await customers()
  const person = await addPerson(context, reseller, brand, [], { external_id: 'U1' })
  await load('users', csv('externalId,username,customers', `U1,${person.username},C2;C1`))
  expect(await rows('select c.external_id, uc.selected from user_customer uc join customer c on c.id = uc.customer_id order by 1')).toEqual(
    [
      { external_id: 'C1', selected: false },
      { external_id: 'C2', selected: true },
    ],
  )
  await load('users', csv('externalId,username,customers', `U1,${person.username},C1`))
  expect(await rows('select c.external_id from user_customer uc join customer c on c.id = uc.customer_id')).toEqual([{ external_id: 'C1' }])
  expect(await rows('select display_name, password_hash is not null as kept from app_user')).toEqual([
    { display_name: 'Some Body', kept: true },
  ])
  expect(await tryImport('users', csv('externalId,username', `U2,new-${last}`))).toMatchObject({
    exit: 1,
    err: expect.stringContaining('the user is new') as string,
  })
  await load('users', csv('externalId,username', `U2,new-${last}`), '--brand', String(brand))
})

test('[OPS-03] users whose customers change are counted as changed, and those whose stay are not', async () => {
  await customers()
  const users = (...links: string[]): string =>
    csv('externalId,username,brand,customers', ...links.map((link, at) => `U${at},user-${at}-${last},${brand},${link}`))
  expect(counts(await load('users', users('C1', 'C1', 'C2')))).toEqual([3, 3, 0, 0, 0, 0])
  expect(counts(await load('users', users('C1; C2', 'C1;C1', 'C1')))).toEqual([3, 0, 2, 1, 0, 0])
  expect(counts(await load('users', users('C2;C1', 'C1', '')))).toEqual([3, 0, 1, 2, 0, 0])
  expect(counts(await load('users', users('C2;C1', 'C1', '')))).toEqual([3, 0, 0, 3, 0, 0])
})

test('[OPS-03] things with the same name are distinguished by external id', async () => {
  await customers()
  await load('agreements', csv(HEADER, 'A1,C1,Fleet', 'A2,C1,Fleet', 'A3,C2,Fleet'))
  const header = 'externalId,customer,agreement,periodStart,periodEnd'
  const { err } = await tryImport('periods', csv(header, 'P1,C1,Fleet,2026-10-01,2026-10-31'))
  expect(err).toContain('line 2: agreement: the customer has more than one "Fleet"; name its external id')
  expect(counts(await load('periods', csv(header, 'P1,C1,A2,2026-10-01,2026-10-31', 'P2,C2,Fleet,2026-10-01,2026-10-31')))).toEqual([
    2, 2, 0, 0, 0, 0,
  ])
})

test('[OPS-03] a file of many records takes its references in sets: 6,000 invoices with their customers', async () => {
  const many = 6_000
  await load('customers', csv('externalId,name,brand', ...Array.from({ length: 500 }, (_, n) => `K${n},Customer ${n},${brand}`)))
  const lines = Array.from({ length: many }, (_, n) => `N${n},K${n % 500},${n},10,11,11,2026-11-01,2026-11-30`)
  const path = file(gzipSync(['externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue', ...lines].join('\n')))
  expect(counts(await load('invoices', path))).toEqual([many, many, 0, 0, 0, 0])
  expect(counts(await load('invoices', path))).toEqual([many, 0, 0, many, 0, 0])
  await changeReseller(context, reseller, { payments_enabled: false })
  expect(await rows('select count(*)::int as n, sum(amount_minor)::int as sum, count(pay_token_hash)::int as tokens from invoice')).toEqual(
    [{ n: many, sum: many * 1_100, tokens: many }],
  )
})
