import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { focusCsv, sampleRows } from '../imports/focus/focus-sample.data.ts'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { runCommand } from '../../test/support/operator.ts'
import { addTenant, queryAsAdministrator } from '../../test/support/people.ts'

let context: TestContext
let tenant: Awaited<ReturnType<typeof addTenant>>
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-deeds-'))

beforeAll(async () => {
  context = await testContext()
  tenant = await addTenant(context, { reseller: { name: 'Orbit' }, brand: { name: 'Orbit' } })
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

interface EventCase {
  readonly action: string
  readonly kind: string
  readonly subject: string
}

/** Expects the entries that the work adds to the log, by chain. */
const expectEvents = async (work: () => Promise<unknown>): Promise<EventCase[]> => {
  const boundary = await queryAsAdministrator<{ reseller_id: number; seq: number }>(
    context,
    'select reseller_id, seq::int as seq from audit_head',
  )
  await work()
  const entries = await queryAsAdministrator<EventCase & { reseller_id: number; seq: number }>(
    context,
    'select reseller_id, seq::int as seq, action, actor_kind as kind, subject from audit_entry order by reseller_id, seq',
  )
  return entries
    .filter((entry) => entry.seq > (boundary.find((end) => end.reseller_id === entry.reseller_id)?.seq ?? 0))
    .map(({ action, kind, subject }) => ({ action, kind, subject }))
}

const type = async (...words: string[]): Promise<void> => {
  const { exit, err } = await runCommand(context, ...words)
  expect([words.join(' '), exit, err]).toEqual([words.join(' '), 0, ''])
}

test('[OPS-03] what an operator brings in and takes out stands in the audit log, whose chains hold', async () => {
  const reseller = `reseller ${tenant.resellerId}`
  const of = ['--reseller', 'Orbit']
  const company = [...of, '--company', 'orbit']
  const secret = file('secret', 'the secret')
  const settings = ['--kind', 'oidc', '--brand', 'Orbit', '--issuer', 'https://login.orbit.example', '--client-id', 'portal']
  const commands: [string[], string[], string][] = [
    [
      ['sso', 'set', ...company, ...settings, '--client-secret-file', secret, '--domain', 'orbit.example'],
      ['sso.company-set'],
      'company orbit',
    ],
    [['sso', 'set', ...company, '--block'], ['sso.company-set'], 'company orbit'],
    [['sso', 'remove', ...company, '--yes'], ['sso.company-removed'], 'company orbit'],
    [['import', 'services', file('services.csv', 'externalId,name\nS,Data\n'), ...of], ['records.imported'], reseller],
    [['import', 'record-types', file('types.csv', 'externalId,service,description\nT,S,Data\n'), ...of], ['records.imported'], reseller],
    [['import', 'customers', file('c.csv', 'externalId,name\nC1,One\n'), ...of, '--brand', 'Orbit'], ['records.imported'], reseller],
    [
      [
        'import',
        'usage',
        file('usage.csv', 'externalId,customer,date,service,recordType,units,price\nu1,C1,2025-01-05,S,T,1,0.2\n'),
        ...of,
      ],
      ['usage.imported'],
      reseller,
    ],
    [['usage', 'archive', '--before', '2025-02', '--yes'], ['usage.archived'], 'month 2025-01'],
    [['usage', 'archive', '--before', '2025-02'], [], ''],
    [['import', 'focus', file('focus.csv', focusCsv(sampleRows())), ...of, '--brand', 'Orbit', '--create'], ['focus.imported'], reseller],
  ]
  for (const [words, actions, subject] of commands) {
    const events = await expectEvents(() => type(...words))
    expect([words.slice(0, 2), events]).toEqual([words.slice(0, 2), actions.map((action) => ({ action, kind: 'operator', subject }))])
  }
  const { exit, out } = await runCommand(context, 'audit', 'verify', '--json')
  expect([exit, JSON.parse(out)]).toMatchObject([0, { isWhole: true, faults: [] }])
})

test('[PM-05] every consent to be charged and its withdrawal are in the audit log, with the person', async () => {
  const adminUser = clientFor(await context.app(), await signInAs(await context.app(), tenant.person), tenant.customerId)
  const run = (allowResellerCharge: boolean) => adminUser.put('/v1/ec/allow-reseller-charge', { allowResellerCharge })
  const events = await expectEvents(async () => {
    expect((await run(true)).statusCode).toBe(200)
    expect((await run(false)).statusCode).toBe(200)
  })
  const subject = `customer ${tenant.customerId}`
  expect(events).toEqual([
    { action: 'consent.given', kind: 'user', subject },
    { action: 'consent.withdrawn', kind: 'user', subject },
  ])
  const [entry] = await queryAsAdministrator(
    context,
    `select actor_id, source, about_customer_id::int as about from audit_entry where action = 'consent.given'`,
  )
  expect(entry).toEqual({ actor_id: tenant.person.id, source: '127.0.0.1', about: tenant.customerId })
  expect((await runCommand(context, 'audit', 'verify')).exit).toBe(0)
})
