import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CUSTOMER, FILL, migrateToEarlierSchema, openEmptyStore, RESELLER } from '../../../test/databases/earlier-schema.ts'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { databaseFindings } from '../../cli/doctor/database-findings.ts'
import type { Finding } from '../../cli/doctor/finding.ts'
import { findAttempt, setInCollection } from '../../payments/attempts/attempt.queries.ts'
import { updateAmountDue } from '../../payments/ledger/ledger.queries.ts'
import { mintScope } from '../../session/scope.ts'
import { migrate } from '../migrate.ts'

let context: TestContext
let drop: () => Promise<void>
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-debts-'))

/** Invoices as imports took them before: number, status, amount and due in minor units. */
const BEFORE = [
  ['CN-1', 1, -2_000, -2_000],
  ['CN-2', 1, -2_000, 0],
  ['CN-3', 9, -500, -500],
  ['BAD-1', 1, 10_000, 15_000],
  ['BAD-2', 1, -2_000, 2_000],
  ['BAD-3', 11, 10_000, 100],
] as const

const HEADER = 'externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue,status'
const load = (...lines: string[]) => {
  const path = join(folder, 'invoices.csv')
  writeFileSync(path, [HEADER, ...lines, ''].join('\n'))
  return runCommand(context, 'import', 'invoices', path, '--reseller', String(RESELLER))
}
const findings = async (): Promise<Finding> => {
  const all = await databaseFindings(context.store, context.config, context.clock)
  return all.find(({ about }) => about === 'invoices') ?? { about: '', state: 'bad', says: '' }
}
const isValidated = async (): Promise<boolean> =>
  (
    await queryAsAdministrator<{ convalidated: boolean }>(context, "select convalidated from pg_constraint where conname = 'invoice_debt'")
  )[0]?.convalidated === true

beforeAll(async () => {
  const empty = await openEmptyStore()
  drop = empty.drop
  context = await testContext({}, { store: empty.store })
  await migrateToEarlierSchema(context.store)
  await queryAsAdministrator(context, FILL)
  await migrateToEarlierSchema(context.store, '0125', '0060')
  await queryAsAdministrator(context, `update customer set external_id = 'C1' where id = ${CUSTOMER}`)
  await queryAsAdministrator(
    context,
    `insert into invoice (customer_id, external_id, number, status, currency, net_minor, amount_minor, amount_due_minor, issued_on, due_on, generated_at)
    values ${BEFORE.map(([number, status, amount, due]) => `(${CUSTOMER}, '${number}', '${number}', ${status}, 'AUD', ${amount}, ${amount}, ${due}, '2026-11-01', '2026-11-30', '2026-11-01')`).join(', ')};
    insert into import (reseller_id, kind, imported_at) values (${RESELLER}, 'invoices', '2026-11-19');
    insert into import_change (import_id, reseller_id, table_name, key, before, after)
    select 1, ${RESELLER}, 'invoice', jsonb_build_object('customer_id', customer_id, 'id', id),
      case number when 'CN-1' then import_row(to_jsonb(i)) || '{"amount_due_minor": -100}' end, import_digest(import_row(to_jsonb(i)))
    from invoice i where number in ('CN-1', 'CN-2');`,
  )
  await migrate(context.store)
})
afterAll(async () => {
  await context.close()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

const readStored = () =>
  queryAsAdministrator<{ number: string; status: number; due: number }>(
    context,
    "select number, status, amount_due_minor::int as due from invoice where number ~ '^(CN|BAD)' order by number",
  )

test('[OPS-03] open invoices with a negative amount become credit notes, and what nobody can know stays as it was', async () => {
  expect(await readStored()).toEqual([
    { number: 'BAD-1', status: 1, due: 15_000 },
    { number: 'BAD-2', status: 1, due: 2_000 },
    { number: 'BAD-3', status: 11, due: 100 },
    { number: 'CN-1', status: 9, due: -2_000 },
    { number: 'CN-2', status: 9, due: 0 },
    { number: 'CN-3', status: 9, due: -500 },
  ])
  expect(await isValidated()).toBe(false)
})

test('[OPS-03] doctor lists the debts that cannot be, and how to mend them', async () => {
  const { state, says, mend } = await findings()
  expect([state, mend]).toEqual([
    'warning',
    'Import them again as they should be (counterfoil import invoices), then run counterfoil migrate.',
  ])
  expect(says.split('\n')).toEqual([
    '3 invoices have debts that cannot be, from before imports were checked for it.',
    `  reseller ${RESELLER}, customer C1, BAD-1 (AUD): amountDue: 150.00 is not a part of 100.00; of an open invoice more than 0 is due, and at most its amount`,
    `  reseller ${RESELLER}, customer C1, BAD-2 (AUD): status: an invoice of -20.00 is a credit note, so its status is credited, and 20.00 is due of it`,
    `  reseller ${RESELLER}, customer C1, BAD-3 (AUD): amountDue: a paid invoice has nothing due, and 1.00 is; write 0, or another status`,
  ])
})

test('[PAY-01] what a payment does to a debt that cannot be is recorded all the same', async () => {
  const [bad] = await queryAsAdministrator<{ id: number }>(context, "select id::int from invoice where number = 'BAD-1'")
  const attemptId = '00000000-0000-4000-8000-000000000007'
  await queryAsAdministrator(context, 'update payment_attempt_item set invoice_id = $1 where attempt_id = $2', [bad?.id, attemptId])
  const scope = mintScope({ customerId: CUSTOMER, resellerId: RESELLER })
  await context.store.transact({ role: 'counterfoil_reseller', resellerId: RESELLER }, async (db) => {
    const attempt = await findAttempt(db, { ...scope, id: attemptId })
    if (attempt === undefined) throw new Error('there is no attempt')
    await setInCollection(db, attempt, true)
    await updateAmountDue(db, scope, bad?.id ?? 0, { dueMinor: 14_000, overpaidChangeMinor: 0 })
  })
  expect((await readStored())[0]).toEqual({ number: 'BAD-1', status: 1, due: 10_000 })
})

test('[OPS-03] once none is left, migrate makes the database hold to it, and an import of before can still be undone', async () => {
  await runJsonCommand(context, 'migrate')
  expect(await isValidated()).toBe(false)
  expect(
    await load('BAD-2,C1,BAD-2,-20,-20,-20,2026-11-01,2026-11-30,open', 'BAD-3,C1,BAD-3,100,100,0,2026-11-01,2026-11-30,paid'),
  ).toMatchObject({ exit: 0 })
  expect((await findings()).says).toBe('No invoice has a debt that cannot be any more.')
  await runJsonCommand(context, 'migrate')
  expect([await isValidated(), (await findings()).state]).toEqual([true, 'good'])
  expect(await runCommand(context, 'import', 'undo', '1', '--yes')).toMatchObject({ exit: 0 })
  expect((await readStored()).filter(({ number }) => number === 'CN-1')).toEqual([{ number: 'CN-1', status: 9, due: -100 }])
})
