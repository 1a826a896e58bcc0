import { createHash } from 'node:crypto'
import type { Invoice } from '@counterfoil/contract/invoices'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CUSTOMER,
  FILL,
  idOf,
  invoiceOf,
  LATER_FILES,
  migrateToEarlierSchema,
  openEmptyStore,
  RESELLER,
  RIVAL,
  STATUSES,
} from '../../test/databases/earlier-schema.ts'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { runCommand, runJsonCommand } from '../../test/support/operator.ts'
import { addAccount, addPerson, queryAsAdministrator } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { payToken } from '../payments/pay-token.ts'
import { claimIntent } from '../payments/engine/claim.ts'
import { leaseDueAttempt } from '../payments/engine/sweep.queries.ts'
import { toSentOrder } from '../payments/engine/look-up.ts'
import { settleAttempt } from '../payments/engine/settle.ts'
import { findAttempt } from '../payments/attempts/attempt.queries.ts'
import { claimNextJob } from '../queue/run-job.ts'
import { webhookEventJob } from '../payments/webhooks/webhook-events.ts'
import { findOrganization, organizationNameOfDomain } from '../sso/organizations.queries.ts'
import { migrate } from './migrate.ts'
import { mintScope } from '../session/scope.ts'

let context: TestContext
let drop: () => Promise<void>
let ran: string[]

beforeAll(async () => {
  const empty = await openEmptyStore()
  drop = empty.drop
  context = await testContext({}, { store: empty.store })
  await migrateToEarlierSchema(context.store)
  await queryAsAdministrator(context, FILL)
  await queryAsAdministrator(context, 'update invoice set pay_token = $1 where id = 1', [payToken(context.keys, CUSTOMER, 1)])
  ran = await migrate(context.store)
})
afterAll(async () => {
  await context.close()
  await drop()
})

const query = <Row extends object>(statement: string): Promise<Row[]> => queryAsAdministrator<Row>(context, statement)

/** The name of the constraint or index that rejects a statement. */
const rejectedBy = (statement: string): Promise<string> =>
  query(statement).then(
    () => 'nothing',
    (error: { constraint?: string }) => String(error.constraint),
  )

test('the migration runs on a filled database, after everything before it', () => {
  expect(ran).toEqual(LATER_FILES)
  expect(ran[0]).toBe('0060-plain-words.sql')
})

test('attempts and their history say the new words, in every row', async () => {
  const attempts = await query<{ status: string; by: string; checks: number }>(
    'select status, resolved_by as by, not_started_checks as checks from payment_attempt order by id',
  )
  const sources = ['answer', 'return', 'webhook', 'sweep', 'operator']
  expect(attempts).toEqual(STATUSES.map(([, after], at) => ({ status: after, by: sources[(at + 1) % 5], checks: at + 1 })))
  const entries = await query<{ attempt: string; from: string | null; to: string; source: string; note: string | null }>(
    'select attempt_id::text as attempt, from_status as from, to_status as to, source, note from payment_attempt_event order by attempt_id, entry_no',
  )
  expect(entries).toEqual(
    STATUSES.flatMap(([before, after]) => {
      const attempt = idOf(before)
      const resolved = { attempt, from: after, to: 'expired', source: 'operator', note: 'manual resolution: they said so' }
      return [
        { attempt, from: null, to: 'created', source: 'answer', note: null },
        { attempt, from: 'created', to: after, source: 'webhook', note: null },
        ...(before === after ? [] : [resolved]),
      ]
    }),
  )
})

test('the other tables keep their rows under their new names', async () => {
  expect(await query('select name, legal_name, registration_number from reseller order by id')).toEqual([
    { name: 'Nimbus', legal_name: 'Nimbus Pty Ltd', registration_number: 'ABN 51 824 753 556' },
    { name: 'Rival', legal_name: 'Rival Ltd', registration_number: null },
  ])
  expect(await query('select customer_id::int as customer, provider_customer_id as id from payment_provider_customer order by 1')).toEqual([
    { customer: 1, id: 'cus_1' },
    { customer: 2, id: 'cus_2' },
  ])
  const [counts] =
    await query(`select (select count(*)::int from payment_webhook_event) as events, (select count(*)::int from payment_discrepancy) as discrepancies,
    (select count(*)::int from sso_organization o join sso_domain d on d.organization_id = o.id) as domains,
    (select count(*)::int from sso_organization o join sso_identity i on i.organization_id = o.id join sso_attempt a on a.organization_id = o.id) as people,
    (select count(*)::int from payment_allocation where recorded_at = '2026-11-19') as entries`)
  expect(counts).toEqual({ events: 2, discrepancies: 2, domains: 2, people: 1, entries: 1 })
})

test('nothing in the schema has an old name: no table, column, constraint, index, sequence, policy, trigger or function', async () => {
  const oldNames = await query<{ name: string }>(`
    with object (name, definition) as (
      select relname::text, coalesce(case relkind when 'i' then pg_get_indexdef(oid) end, '') from pg_class where relnamespace = 'public'::regnamespace
      union all select c.relname || '.' || a.attname, '' from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      union all select conname::text, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select tablename || '.' || policyname, coalesce(qual, '') || coalesce(with_check, '') from pg_policies where schemaname = 'public'
      union all select tgname::text, '' from pg_trigger
      union all select proname::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace
    )
    select name from object where name || ' ' || definition ~ 'notice|drift|compan|payment_owner|\\.owner|idle_checks|booked|refuse|stays|not-sent|''action'''`)
  expect(oldNames).toEqual([])
})

test('the checks take the new words and reject the old ones, and nothing else', async () => {
  const id = idOf('unknown')
  const setStatus = (status: string): Promise<string> => rejectedBy(`update payment_attempt set status = '${status}' where id = '${id}'`)
  for (const [before, after] of STATUSES) {
    expect([after, await setStatus(after)]).toEqual([after, 'nothing'])
    if (before !== after) expect([before, await setStatus(before)]).toEqual([before, 'payment_attempt_status_check'])
  }
  await setStatus('unknown')
  const setSource = (source: string): Promise<string> =>
    rejectedBy(`update payment_attempt set resolved_by = '${source}' where id = '${id}'`)
  for (const source of ['answer', 'return', 'webhook', 'sweep', 'operator'])
    expect([source, await setSource(source)]).toEqual([source, 'nothing'])
  expect(await setSource('notice')).toBe('payment_attempt_resolved_by_check')
  expect(await rejectedBy(`update payment_discrepancy set closed_by = 'operator'`)).toBe('payment_discrepancy_check')
  expect(
    await rejectedBy(`insert into sso_domain (reseller_id, organization_id, brand_id, domain) values (${RESELLER}, 77, 1, 'x.example')`),
  ).toBe('sso_domain_reseller_id_organization_id_fkey')
})

test('the partial and unique indexes hold as before', async () => {
  const indexes = await query<{ name: string; predicate: string }>(`
    select c.relname::text as name, pg_get_expr(i.indpred, i.indrelid) as predicate from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indisvalid and c.relname in ('payment_attempt_manual', 'payment_discrepancy_open', 'payment_attempt_next_check_at') order by 1`)
  expect(indexes).toEqual([
    { name: 'payment_attempt_manual', predicate: "(status = 'manual'::text)" },
    { name: 'payment_attempt_next_check_at', predicate: '(next_check_at IS NOT NULL)' },
    { name: 'payment_discrepancy_open', predicate: '(closed_at IS NULL)' },
  ])
  const secondLive = `insert into payment_attempt_item (customer_id, attempt_id, item_no, invoice_id, amount_minor)
    values (${CUSTOMER}, '${idOf('not-sent')}', 2, ${invoiceOf('action')}, 1)`
  expect(await rejectedBy(secondLive)).toBe('one_live_attempt_of_invoice')
  const secondName = `insert into sso_organization (reseller_id, brand_id, name, kind, issuer, client_id, client_secret, changed_at)
    values (${RIVAL}, 2, 'ORBIT', 'oidc', 'https://x', 'x', 'x', now())`
  expect(await rejectedBy(secondName)).toBe('sso_organization_name')
  const sameEvent = `insert into payment_webhook_event select * from payment_webhook_event where reseller_id = ${RESELLER}`
  expect(await rejectedBy(sameEvent)).toBe('payment_webhook_event_pkey')
})

test('row-level security stands on every table as before, forced, and keeps resellers apart on the renamed ones', async () => {
  expect(
    await query(`select relname from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity and not relforcerowsecurity`),
  ).toEqual([])
  const renamed = [
    'payment_webhook_event',
    'payment_discrepancy',
    'payment_provider_customer',
    'sso_organization',
    'sso_domain',
    'payment_attempt',
  ]
  const count = (resellerId: number, table: string) =>
    context.store.transact({ role: 'counterfoil_reseller', resellerId }, async (db) => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)
      return rows[0]?.n
    })
  for (const table of renamed) {
    const [all] = await query<{ n: number }>(`select count(*)::int as n from ${table}`)
    const [own, rivals] = [await count(RESELLER, table), await count(RIVAL, table)]
    expect([table, own, (own ?? 0) + (rivals ?? 0)]).toEqual([table, table === 'payment_attempt' ? STATUSES.length : 1, all?.n])
  }
  const asCustomer = (table: string) =>
    context.store.transact({ role: 'counterfoil_app', customerId: CUSTOMER, resellerId: RESELLER }, (db) =>
      sql`select * from ${sql.table(table)}`.execute(db),
    )
  for (const table of [
    'payment_webhook_event',
    'payment_discrepancy',
    'payment_provider_customer',
    'payment_attempt_event',
    'sso_organization',
  ])
    await expect(asCustomer(table)).rejects.toMatchObject({ code: '42501' })
})

test('the audit log is as unchangeable as before', async () => {
  const entry = await runCommand(context, 'reseller', 'set', 'Nimbus', '--company-name', 'Nimbus Proprietary Limited')
  expect(entry).toMatchObject({ exit: 0 })
  for (const statement of ['update audit_entry set at = at', 'delete from audit_entry', 'truncate audit_entry', 'delete from audit_head'])
    await expect(query(statement)).rejects.toThrow('the audit log is never changed')
  expect(await runCommand(context, 'audit', 'verify')).toMatchObject({ exit: 0 })
})

test('the command line works on what was there', async () => {
  expect(await runJsonCommand(context, 'reseller', 'show', 'Nimbus')).toMatchObject({ companyNumber: 'ABN 51 824 753 556' })
  const queue = await runJsonCommand<Record<'attempts' | 'drifts', unknown[]>>(context, 'payments', 'queue', '--reseller', 'Nimbus')
  expect(queue).toMatchObject({ attempts: [{ id: idOf('manual') }], drifts: [{ kind: 'missing-here', reference: 'pi_lost' }] })
  expect(await runJsonCommand(context, 'payments', 'show', idOf('not-sent'))).toMatchObject({ attempt: { status: 'not_sent' } })
  await runJsonCommand(context, 'payments', 'dismiss', 'pi_lost', '--reseller', 'Nimbus', '--reason', 'known')
  expect(await runJsonCommand(context, 'sso', 'show', '--reseller', 'Nimbus', '--company', 'orbit')).toMatchObject({
    people: 1,
    domains: ['orbit.example'],
  })
  const asSystem = { role: 'counterfoil_system' } as const
  expect(await context.store.transact(asSystem, (db) => findOrganization(db, 'Rival Ltd', undefined))).toMatchObject({ isKnown: true })
  expect(await context.store.transact(asSystem, (db) => organizationNameOfDomain(db, 'comet.example', undefined))).toBe('comet')
})

test('[INV-04] a payment link from before opens its invoice, which still shows the same link; the database holds its hash alone', async () => {
  await query('update reseller set payments_enabled = true, payment_type = 1')
  const token = payToken(context.keys, CUSTOMER, 1)
  expect(await query('select id::int as id, pay_token_hash as hash from invoice where pay_token_hash is not null')).toEqual([
    { id: 1, hash: createHash('sha256').update(token).digest() },
  ])
  const app = await context.app()
  const details = await app.inject(`/v1/ec/payment/details/${token}`)
  expect([details.statusCode, details.json()]).toEqual([200, expect.objectContaining({ InvoiceNumber: 'INV-1' })])
  expect((await app.inject(`/v1/ec/payment/details/${token.slice(0, -1)}`)).statusCode).toBe(404)
  const me = clientFor(app, await signInAs(app, await addPerson(context, RESELLER, 1, [CUSTOMER])))
  const list = (await me.get('/v1/ec/invoices')).json<Invoice[]>()
  expect(list.filter(({ payToken }) => payToken !== null)).toMatchObject([{ id: 1, payToken: token }])
})

test('the engine goes on with what was under way, and the customer reads its history', async () => {
  const asSystem = { role: 'counterfoil_system' } as const
  const now = context.clock()
  const customer = mintScope({ resellerId: RESELLER, customerId: CUSTOMER })
  const key = { ...customer, id: idOf('action') }
  expect(await context.store.transact(asSystem, (db) => leaseDueAttempt(db, now))).toMatchObject({
    resellerId: RESELLER,
    customerId: CUSTOMER,
    id: key.id,
  })
  const payments = { ...context, onMailQueued: () => undefined }
  expect(await claimNextJob(context, webhookEventJob(payments), key.id)).toMatchObject({ payload: { eventId: 'evt_1' }, attempts: 1 })
  const paid = {
    state: 'succeeded',
    providerRef: 'pi_6',
    amount: { minor: 11_000n, currency: 'AUD' },
    refunded: 0n,
    reversed: 0n,
  } as const
  expect(await settleAttempt(payments, key, paid, 'webhook')).toMatchObject({ status: 'succeeded' })
  const again = {
    methodId: null,
    methodType: 'card',
    isDebit: false,
    submission: null,
    receiptEmail: null,
    shownMinor: null,
    chargeRules: {},
  }
  const accountId = await addAccount(context, RESELLER, 'stripe')
  const claim = (status: string) =>
    claimIntent(payments, customer, { ...again, intentId: idOf(status), provider: 'stripe', accountId }, crypto.randomUUID())
  expect(await claim('not-sent')).toMatchObject({ kind: 'claimed' })
  expect(await claim('action')).toMatchObject({ kind: 'repeated' })

  // The provider knows an attempt from before by its id, whatever form its references have now.
  const unknown = await context.store.transact({ role: 'counterfoil_reseller', resellerId: RESELLER }, (db) =>
    findAttempt(db, { ...customer, id: idOf('unknown') }),
  )
  if (unknown === undefined) throw new Error('an attempt from before is lost')
  expect(toSentOrder(unknown)).toMatchObject({
    merchantReference: idOf('unknown'),
    providerRef: expect.stringMatching(/^pi_/),
    sentAt: expect.any(Date),
  })

  const person = await addPerson(context, RESELLER, 1, [CUSTOMER])
  const app = await context.app()
  const me = clientFor(app, await signInAs(app, person))
  const outcomes = async (status: string): Promise<string[]> => {
    const answer = await me.get(`/v1/ec/invoices/${invoiceOf(status)}/payments`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ payments: { outcome: string }[] }>().payments.map(({ outcome }) => outcome)
  }
  expect(await outcomes('action')).toEqual(['paid'])
  expect((await outcomes('not-sent')).toSorted()).toEqual(['checking', 'failed'])
})
