import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { addAccount, addBrand, addReseller, insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'
import { REFERENCES } from '../../db/references.data.ts'
import { focusCsv } from '../focus/focus-sample.data.ts'
import { lockImports } from '../staging/staging.queries.ts'
import { IMPORT_KINDS } from '../records/kinds.data.ts'
import { UNDO_LOGGED_TABLES } from './undo-logged-tables.data.ts'

let context: TestContext
let reseller: number
let brand: number
let customerId: number
let run = 0
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-undo-'))

beforeAll(async () => {
  context = await testContext()
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  run += 1
  reseller = await addReseller(context, { name: `Undo ${run}`, payments_enabled: true })
  brand = await addBrand(context, reseller)
})

const load = async (kind: string, lines: readonly string[], ...more: string[]): Promise<number> => {
  const path = join(folder, 'file.csv')
  writeFileSync(path, `${lines.join('\n').replaceAll('BRAND', String(brand)).replaceAll('RUN', String(run))}\n`)
  const words = ['import', kind, path, '--reseller', String(reseller), ...more]
  const { importId } = await runJsonCommand<{ importId: number | null }>(context, ...words)
  return importId ?? 0
}
const undo = (id: number) => runCommand(context, 'import', 'undo', String(id), '--yes')
const readError = async (id: number): Promise<string> => {
  const { exit, err } = await undo(id)
  expect(exit).toBe(1)
  return err
}

const rows = (query: string): Promise<Record<string, unknown>[]> =>
  context.store.transact(
    { role: 'counterfoil_reseller', resellerId: reseller },
    async (db) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows,
  )

/** Everything that imports write, without what is random. */
const snapshot = async (): Promise<Record<string, unknown>> => {
  const usage = ['usage_record', 'usage_day', 'usage_day_kind', 'usage_month_kind', 'usage_month_cost_centre']
  const tables: Record<string, unknown> = {}
  for (const table of [...UNDO_LOGGED_TABLES.map((logged) => logged.table), ...usage])
    tables[table] = await rows(`select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`)
  return tables
}

/** One file of each kind, in an order in which they can be imported. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  customers: ['externalId,name,brand,currency', 'C1,Harbour Lights,BRAND,AUD', 'C2,Mill Lane,BRAND,AUD'],
  users: ['externalId,username,name,brand,customers', 'U1,ann.RUN,Ann Lee,BRAND,C1'],
  services: ['externalId,name', 'S1,4G Data'],
  'record-types': ['externalId,service,description', 'R1,S1,Data at home'],
  agreements: ['externalId,customer,name', 'A1,C1,Fleet'],
  periods: ['externalId,customer,agreement,periodStart,periodEnd', 'P1,C1,A1,2026-10-01,2026-10-31'],
  'service-items': ['externalId,customer,service,serviceItem,costCentre', 'I1,C1,S1,0491 570 156,Vans'],
  invoices: [
    'externalId,customer,agreement,period,number,netAmount,amount,amountDue,dateInvoice,dateDue',
    'N1,C1,A1,P1,INV-1,100.00,110.00,110,2026-11-01,2026-11-30',
  ],
  'invoice-lines': ['customer,invoice,lineNo,serviceName,description,amount', 'C1,INV-1,1,4G Data,October,100.00'],
  'invoice-taxes': ['customer,invoice,taxNo,name,ratePercent,base,amount', 'C1,N1,1,GST,10,100.00,10.00'],
  transactions: ['externalId,customer,period,invoice,productLabel,productName,price,quantity', 'T1,C1,P1,N1,Data,SKU-1,100.00,1'],
  bundles: ['externalId,customer,name', 'B1,C1,Data 10'],
  'bundle-products': ['customer,bundle,productNo,productName,quantity,unitLabel,consumption', 'C1,B1,1,Data,10,GB,3'],
  balances: ['customer,balance,asOf', 'C1,10.00,2026-11-01'],
  'data-usage': ['customer,date,gigabytes', 'C1,2026-10-01,1.5'],
  usage: [
    'externalId,customer,date,service,recordType,serviceItem,units,price',
    'X1,C1,2026-10-02T10:00:00Z,S1,R1,I1,1,0.10',
    'X2,C1,2026-11-02T10:00:00Z,S1,R1,,2,0.20',
  ],
}
const KINDS = Object.keys(FILES)

/** The same records with other values, and more of them. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  customers: ['externalId,name', 'C1,Harbour Lights Ltd'],
  users: ['externalId,username,name,customers', 'U1,ann.RUN,Ann Li,C2'],
  'service-items': ['externalId,customer,service,serviceItem,costCentre', 'I1,C1,S1,0491 570 156,Ships', 'I2,C1,S1,0491 570 157,Ships'],
  invoices: [
    'externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue',
    'N1,C1,INV-1,90.00,99.00,99,2026-11-01,2026-11-30',
    'N2,C1,INV-2,1.00,1.10,1.10,2026-11-02,2026-11-30',
  ],
  'bundle-products': [
    'customer,bundle,productNo,productName,quantity,unitLabel,consumption',
    'C1,B1,1,Data,10,GB,4',
    'C1,B1,2,SMS,9,SMS,0',
  ],
  balances: ['customer,balance,asOf', 'C1,12.00,2026-12-01', 'C2,1.00,2026-12-01'],
}

const importAll = async (): Promise<Record<string, number>> => {
  const ids: Record<string, number> = {}
  for (const kind of KINDS) ids[kind] = await load(kind, FILES[kind] ?? [])
  customerId = Number((await rows(`select id from customer where external_id = 'C1'`))[0]?.['id'])
  return ids
}

test('[OPS-03] an import of every kind is undone: nothing is left of it', async () => {
  expect([...IMPORT_KINDS.map(({ name }) => name), 'usage'].toSorted()).toEqual(KINDS.toSorted())
  const before: Record<string, unknown>[] = []
  const ids: number[] = []
  for (const kind of KINDS) {
    before.push(await snapshot())
    ids.push(await load(kind, FILES[kind] ?? []))
  }
  for (const [at, id] of [...ids.entries()].toReversed()) {
    expect((await undo(id)).out, KINDS[at]).toContain(`Import ${id} (${KINDS[at]}) is undone.`)
    expect(await snapshot(), KINDS[at]).toEqual(before[at])
  }
  expect(await readError(ids[0] ?? 0)).toContain('was undone on')
  expect((await verifyAudit(context.store, context.keys)).faults).toEqual([])
})

test('[OPS-03] what an import changed is as before; what was there already and is equal belongs to no import', async () => {
  await importAll()
  for (const [kind, lines] of Object.entries(CHANGES)) {
    const before = await snapshot()
    const id = await load(kind, lines)
    expect(await snapshot(), kind).not.toEqual(before)
    await undo(id)
    expect(await snapshot(), kind).toEqual(before)
    expect(await load(kind, FILES[kind] ?? []), kind).toBe(0)
  }
})

test('[OPS-03] imports are listed with their ids, newest first; a dry run is none', async () => {
  expect(await load('services', FILES['services'] ?? [], '--dry-run')).toBe(0)
  const id = await load('services', FILES['services'] ?? [])
  const more = await load('record-types', FILES['record-types'] ?? [])
  const list = await runJsonCommand<{ imports: object[] }>(context, 'import', 'list', '--reseller', String(reseller))
  expect(list.imports).toMatchObject([
    { id: more, kind: 'record-types', undoneAt: null },
    { id, kind: 'services', reseller },
  ])
  expect(await readError(999_999)).toContain('There is no import 999999')
})

test('[OPS-03] the list says of an import its file, who imported it, and the rows of the file', async () => {
  await importAll()
  const focus = join(folder, 'bill.csv')
  writeFileSync(focus, focusCsv([{}, { BilledCost: 'x' }]))
  await runJsonCommand(context, 'import', 'focus', focus, '--reseller', String(reseller), '--brand', String(brand), '--skip-bad')
  const { imports } = await runJsonCommand<{ imports: Record<string, unknown>[] }>(
    context,
    'import',
    'list',
    '--reseller',
    String(reseller),
  )
  const by = userInfo().username
  expect(imports[0]).toMatchObject({ kind: 'focus', file: 'bill.csv', by, rows: 2 })
  expect(imports.slice(1).map(({ kind, file, rows: count }) => [kind, file, count])).toEqual(
    KINDS.toReversed().map((kind) => [kind, 'file.csv', (FILES[kind] ?? []).length - 1]),
  )
  expect((await runCommand(context, 'import', 'list', '--reseller', String(reseller))).out).toMatch(
    new RegExp(`^id +kind +reseller +file +by +rows .*\\n\\d+ +focus +${reseller} +bill\\.csv +${by} +2 `),
  )
})

test('[OPS-03] [PAY-01] an import is not undone when something depends on it, and the sentence says what', async () => {
  const ids = await importAll()
  const before = await snapshot()
  expect(await readError(ids['customers'] ?? 0)).toMatch(
    /1 invoices, 1 transactions, 2 days of usage, 1 agreements.* depend on its customers/,
  )
  expect(await readError(ids['services'] ?? 0)).toMatch(/1 record types.* depend on its services/)
  expect(await readError(ids['invoices'] ?? 0)).toMatch(/1 transactions, 1 lines, 1 taxes.* depend on its invoices/)
  expect(await readError(ids['service-items'] ?? 0)).toContain('1 usage records depend on its service items')

  // Somebody edits, and a later import changes.
  await rows(`update service_item set cost_centre = 'Boats'`)
  expect(await readError(ids['service-items'] ?? 0)).toContain('1 of its service items were changed since.')
  await rows(`update service_item set cost_centre = 'Vans'`)
  const later = await load('balances', CHANGES['balances'] ?? [])
  expect(await readError(ids['balances'] ?? 0)).toContain(`were changed since, by import ${later} among others; undo that first`)
  await undo(later)

  // A saved report of the customer.
  const report = { customer_id: customerId, id: crypto.randomUUID(), reseller_id: reseller, brand_id: brand, report_id: 1 }
  const [requested_at, expires_at] = [new Date(context.clock().getTime() + 1_000), new Date(context.clock().getTime() + 9_000_000)]
  const saved = { status: 30, path: 'p'.repeat(43), file_name: 'f.csv', content_type: 'text/csv', size_bytes: 1, finished_at: requested_at }
  await insertRow(context, reseller, 'report_job', { ...report, ...saved, parameters: '{}', requested_at, expires_at, requested_by: null })
  for (const kind of ['data-usage', 'usage'] as const) expect(await readError(ids[kind] ?? 0)).toContain('1 saved reports of its customers')
  await rows('delete from report_job')

  // A payment, even one that was declined.
  await addAttempt()
  const [invoice] = await rows('select id from invoice')
  expect(invoice).toBeDefined()
  for (const kind of ['transactions', 'invoice-taxes', 'invoice-lines']) await undo(ids[kind] ?? 0)
  expect(await readError(ids['invoices'] ?? 0)).toContain('1 of its invoices have payments')
  expect((await snapshot())['invoice']).toEqual(before['invoice'])
})

/** A declined payment of the only invoice. */
const addAttempt = async (): Promise<void> => {
  const [invoice] = await rows('select id from invoice')
  const [intent, attempt] = [crypto.randomUUID(), crypto.randomUUID()]
  const now = new Date(context.clock().getTime() + 1_000)
  const own = { customer_id: customerId, reseller_id: reseller, currency: 'AUD', created_at: now }
  await insertRow(context, reseller, 'payment_intent', {
    ...own,
    id: intent,
    session_id: intent,
    channel: 'bulk',
    created_by: null,
    expires_at: now,
  })
  await queryAsAdministrator(
    context,
    `insert into payment_attempt (customer_id, reseller_id, currency, created_at, id, merchant_reference, intent_id, provider, account_id, is_debit, method_type, amount_minor, status)
    values ($1, $2, 'AUD', $3, $4::uuid, $4::uuid::text, $5, 'stripe', $6, false, 'card', 11000, 'declined')`,
    [customerId, reseller, now, attempt, intent, await addAccount(context, reseller, 'stripe')],
  )
  await queryAsAdministrator(
    context,
    'insert into payment_attempt_item (customer_id, attempt_id, item_no, invoice_id, amount_minor, live) values ($1, $2, 1, $3, 11000, false)',
    [customerId, attempt, invoice?.['id']],
  )
}

test('[OPS-03] an import of long ago is final, and its notes are deleted', async () => {
  const id = await load('services', FILES['services'] ?? [])
  context.advance(91 * 86_400_000)
  expect(await readError(id)).toContain('more than 90 days old')
  context.advance(-91 * 86_400_000)
})

test('[USG-02] [OPS-03] a load of usage is undone beside the loads of others; of an archived month it is final', async () => {
  await importAll()
  const before = await snapshot()
  const record = (name: string, day: string) => `${name},C2,${day}T10:00:00Z,S1,R1,1,0.10`
  const head = 'externalId,customer,date,service,recordType,units,price'
  const first = await load('usage', [head, record('Y1', '2024-01-05'), record('Y2', '2024-02-05'), record('Y3', '2024-02-05')])
  const between = await snapshot()
  const second = await load('usage', [head, record('Y3', '2024-02-05'), record('Y4', '2024-02-05')])
  expect(await load('usage', [head, record('Y4', '2024-02-05')])).toBe(0)
  expect((await undo(second)).out).toContain('1 usage records are gone')
  expect(await snapshot()).toEqual(between)
  const third = await load('usage', [head, record('Y5', '2024-01-06'), record('Y6', '2024-02-06')])
  expect((await undo(first)).out).toContain('3 usage records are gone')
  expect((await rows('select count(*)::int as n from usage_record'))[0]).toEqual({ n: 4 })

  const archived = await runCommand(context, 'usage', 'archive', '--before', '2024-02', '--yes')
  expect(archived.exit, archived.err).toBe(0)
  expect(await readError(third)).toContain('1 of its usage records are gone: their months were archived')
  expect((await snapshot())['invoice']).toEqual(before['invoice'])
})

test('[OPS-03] [CC-01] a FOCUS file is undone, the last one first; what others use by then stays', async () => {
  const focus = (...lines: Record<string, string>[]) => load('focus', [focusCsv(lines)], '--brand', String(brand))
  const empty = await snapshot()
  const first = await focus({ BilledCost: '5.00' }, { BilledCost: '7.00', SubAccountId: '502', SubAccountName: 'Beech' })
  const between = await snapshot()
  const second = await focus({ BilledCost: '1.00', Id: '9777' }, { BilledCost: '2.00', SkuId: 'SKU-Q2', ServiceName: 'Disks', Id: '9778' })
  expect(await readError(first)).toMatch(/were changed since, by import \d+ among others; undo that first/)
  expect((await undo(second)).out).toContain('is undone. 2 usage records are gone.')
  expect(await snapshot()).toEqual(between)

  await load('bundles', ['externalId,customer,name', 'B1,501,Data 10'])
  expect((await undo(first)).out).toContain('What something else uses stays: 1 customers.')
  expect(await rows('select external_id from customer')).toEqual([{ external_id: '501' }])
  expect(await rows('select id from invoice union all select id from usage_record')).toEqual([])
  await rows('delete from bundle')
  await rows('delete from customer')
  expect(await snapshot()).toEqual(empty)
})

test.skipIf(inject('testDatabase').kind !== 'postgres')('[OPS-03] an undo waits until no FOCUS file is imported', async () => {
  const id = await load('focus', focusCsv([{}]).trimEnd().split('\n'), '--brand', String(brand), '--create')
  const waiting =
    "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())"
  const undoing = await context.store.transact({ role: 'counterfoil_system' }, async (db) => {
    await lockImports(db, 'focus', 0)
    const ended = undo(id)
    await vi.waitFor(async () => expect((await context.store.pools.interactive.query(waiting)).rowCount).toBe(1), { timeout: 60_000 })
    return { ended }
  })
  expect(await undoing.ended).toMatchObject({ exit: 0 })
})

test('[OPS-03] what depends on a record is complete: every foreign key onto such a table is named, or its rows go along', async () => {
  const keys = await queryAsAdministrator<{ parent: string; child: string; action: string }>(
    context,
    `select confrelid::regclass::text as parent, conrelid::regclass::text as child, confdeltype as action from pg_constraint
    where contype = 'f' and confrelid::regclass::text = any($1)`,
    [[...Object.keys(REFERENCES), ...UNDO_LOGGED_TABLES.map(({ table }) => table)]],
  )
  const unnamed = keys
    .filter(({ parent, child, action }) => action === 'a' && REFERENCES[parent]?.some(({ table }) => table === child) !== true)
    .map(({ parent, child }) => `${child} of ${parent}`)
  // Each is removed on the way, or is there only beside one that is named.
  expect(unnamed.toSorted()).toEqual([
    'extra_field_label of reseller',
    'payment_allocation of invoice',
    'payment_attempt of reseller',
    'payment_intent of reseller',
    'payment_intent_item of invoice',
    'payment_outbox of reseller',
    'report_job of reseller',
    'sso_domain of brand',
    'sso_organization of reseller',
  ])
})
