import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DbRole, Store } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { migrateToEarlierSchema, openEmptyStore } from '../../test/databases/earlier-schema.ts'
import { runDueJobs } from '../../test/support/jobs.ts'
import { deliverMail, startTestMailbox, type TestMailbox } from '../../test/support/mailbox.ts'
import { addPerson, addTenant } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { webhookEventJob } from '../payments/webhooks/webhook-events.ts'
import { reportJob } from './report-job.ts'

const MIGRATION = '0061-one-queue.sql'

let mailbox: TestMailbox
let context: TestContext
let dropDatabase = async (): Promise<void> => undefined

beforeAll(async () => {
  mailbox = await startTestMailbox()
  const { store, drop } = await openEmptyStore()
  dropDatabase = drop
  await migrateToEarlierSchema(store, MIGRATION)
  context = await testContext({ MAIL_URL: mailbox.url }, { store })
})
afterAll(async () => {
  await context.close()
  await mailbox.close()
  await dropDatabase()
})

const OWNER: DbRole = { role: 'owner' }
const SYSTEM: DbRole = { role: 'counterfoil_system' }

const runAs = async <Row>(store: Store, as: DbRole, statement: string): Promise<Row[]> =>
  (await store.transact(as, (db) => sql.raw<Row>(statement).execute(db), { pool: 'background' })).rows

test('[RPT-05] [AUTH-08] [PAY-01] what waited in the queues of an earlier version is done after the migration, once, and nothing else', async () => {
  const { store } = context
  const tenant = await addTenant(context)
  const { id: userId } = await addPerson(context, tenant.resellerId, tenant.brandId, [], { email: 'ann@customer.net' })
  const now = `timestamptz '${context.clock().toISOString()}'`
  const mail = (what: string, columns: string): string => `
    insert into mail (id, dedupe_key, kind, recipient, brand_id, user_id, queued_at, worth_until, due_at, tries, sent_at)
    values (gen_random_uuid(), '${what}', 'registered', '${what}@customer.net', ${tenant.brandId}, '${userId}', ${now}, ${now} + interval '72 hours', ${columns})`
  const report = (columns: string): string => `
    insert into report_job (customer_id, id, reseller_id, brand_id, report_id, parameters, requested_at, expires_at, due_at, status, tries, lease_owner,
      lease_until, path, file_name, content_type, size_bytes)
    values (${tenant.customerId}, gen_random_uuid(), ${tenant.resellerId}, ${tenant.brandId}, 2, '{"days":null,"serviceId":null,"invoiceId":null}',
      ${now}, ${now} + interval '1 day', ${now}, ${columns})`
  const webhook = (id: string, columns: string): string => `
    insert into payment_webhook_event (reseller_id, provider, event_id, kind, subject, received_at, due_at, tries, processed_at)
    values (${tenant.resellerId}, 'stripe', '${id}', 'x', '{"providerRef":"pi_nobody"}', ${now}, ${columns})`
  const reseller: DbRole = { role: 'counterfoil_reseller', resellerId: tenant.resellerId }
  const filling: [DbRole, string][] = [
    [SYSTEM, mail('waiting', `${now}, 0, null`)],
    [SYSTEM, mail('claimed', `${now} + interval '4 minutes', 2, null`)],
    [SYSTEM, mail('sent', `null, 1, ${now}`)],
    [SYSTEM, `insert into reset_request (id, email, asked_at) values (gen_random_uuid(), 'ann@customer.net', ${now})`],
    [reseller, report('10, 0, null, null, null, null, null, null')],
    [reseller, report(`20, 1, gen_random_uuid(), ${now} + interval '30 seconds', null, null, null, null`)],
    [reseller, report(`30, 1, null, null, repeat('x', 43), 'old.csv', 'text/csv', 1`)],
    [SYSTEM, webhook('evt_waiting', `${now}, 2, null`)],
    [SYSTEM, webhook('evt_done', `null, 1, ${now}`)],
    [SYSTEM, `insert into daily_job values ('reconcile-payments', '2026-11-20', null)`],
    [OWNER, 'create schema pgboss; create table pgboss.job (id uuid)'],
  ]
  for (const [as, statement] of filling) await runAs(store, as, statement)

  expect((await migrate(store))[0]).toBe(MIGRATION)

  await deliverMail(context)
  expect(recipients()).toEqual(['ann@customer.net', 'waiting@customer.net'])
  expect(await runDueJobs(context, reportJob(context))).toHaveLength(1)
  context.advance(4 * 60_000)
  await deliverMail(context)
  expect(recipients()).toEqual(['ann@customer.net', 'claimed@customer.net', 'waiting@customer.net'])
  const [takenOver] = await runDueJobs(context, reportJob(context))
  expect(takenOver?.attempts).toBe(2)
  const payments = { ...context, onMailQueued: () => undefined }
  const events = await runDueJobs(context, webhookEventJob(payments))
  expect(events).toMatchObject([{ payload: { resellerId: tenant.resellerId, provider: 'stripe', eventId: 'evt_waiting' }, attempts: 3 }])

  const reports = await runAs(store, reseller, `select status from report_job`)
  expect(reports).toEqual([{ status: 30 }, { status: 30 }, { status: 30 }])
  const left = await runAs(store, SYSTEM, `select kind, run_at from job where finished_at is null order by kind`)
  expect(left).toEqual([
    { kind: 'reconcile-payments', run_at: new Date('2026-11-21T03:43:00Z') },
    { kind: 'webhook-event', run_at: new Date(context.clock().getTime() + 120_000) },
  ])
  expect(await runAs(store, OWNER, `select from pg_namespace where nspname = 'pgboss'`)).toEqual([])
})

const recipients = (): string[] =>
  mailbox
    .list()
    .map(({ to }) => to)
    .toSorted()
