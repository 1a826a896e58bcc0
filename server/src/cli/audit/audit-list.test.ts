import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditEntry, INSTALLATION, writeAudit } from '../../audit/audit.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { addTenant } from '../../../test/support/people.ts'

let context: TestContext
let orbit: Awaited<ReturnType<typeof addTenant>>
let other: Awaited<ReturnType<typeof addTenant>>

const DAY = 24 * 3_600_000

const write = (entry: Partial<AuditEntry>): Promise<void> => {
  context.advance(1_000)
  return context.store.transact({ role: 'counterfoil_system' }, (db) =>
    writeAudit(db, context.keys, context.clock(), {
      resellerId: orbit.resellerId,
      action: 'user.disabled',
      actor: { kind: 'operator', name: 'Sam' },
      subject: 'user u-1',
      source: 'command line',
      ...entry,
    }),
  )
}

interface AuditList {
  readonly entries: readonly { readonly action: string; readonly subject: string; readonly seq: number; readonly at: string }[]
  readonly isCut: boolean
}
const listEntries = (...args: string[]): Promise<AuditList> => runJsonCommand<AuditList>(context, 'audit', 'list', ...args)
const listSubjects = async (...args: string[]): Promise<string[]> => (await listEntries(...args)).entries.map(({ subject }) => subject)

beforeAll(async () => {
  context = await testContext()
  orbit = await addTenant(context, { reseller: { name: 'Orbit' } })
  other = await addTenant(context, { reseller: { name: 'Other' } })
  await write({ subject: 'user first' })
  await write({ subject: 'key', resellerId: INSTALLATION, action: 'backup.made' })
  context.advance(2 * DAY)
  await write({
    subject: 'method m-1',
    action: 'payment-method.removed',
    actor: { kind: 'support', name: 'Grace', inNameOf: { id: 'u-9', name: 'Ada' } },
    customerId: orbit.customerId,
    source: '192.0.2.7',
    detail: 'visa',
  })
  await write({ subject: 'user there', resellerId: other.resellerId, action: 'user.added' })
  await write({ subject: 'user last', actor: { kind: 'user', id: 'u-9', name: 'Ada\u001B[31m' } })
})
afterAll(() => context.close())

test('[OPS-03] `audit list` prints the newest entries first: when, who, what, to whom, from where', async () => {
  expect(await listSubjects()).toEqual(['user last', 'user there', 'method m-1', 'key', 'user first'])
  const { out } = await runCommand(context, 'audit', 'list', '--limit', '3')
  const lines = out.split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}reseller \d+ #3 {2}user\.disabled {2}user last {2}by user Ada�\[31m {2}at the command line$/,
  )
  expect(lines[2]).toContain(
    `payment-method.removed  method m-1  customer ${orbit.customerId}  by support Grace in the name of Ada  from 192.0.2.7  (visa)`,
  )
  expect(lines[3]).toBe('There are older ones; --limit shows up to 10,000, --until goes on from a day.')
})

test('[OPS-03] it filters by reseller, customer, person, action and days', async () => {
  expect(await listSubjects('--reseller', 'orbit')).toEqual(['user last', 'method m-1', 'user first'])
  expect(await listSubjects('--reseller', 'Installation')).toEqual(['key'])
  expect(await listSubjects('--customer', String(orbit.customerId))).toEqual(['method m-1'])
  expect(await listSubjects('--by', 'grace')).toEqual(['method m-1'])
  expect(await listSubjects('--by', 'U-9')).toEqual(['user last', 'method m-1'])
  expect(await listSubjects('--action', 'user')).toEqual(['user last', 'user there', 'user first'])
  expect(await listSubjects('--action', 'user.added')).toEqual(['user there'])
  const [first, last] = [
    (await listEntries()).entries.at(-1)?.at.slice(0, 10) ?? '',
    (await listEntries()).entries[0]?.at.slice(0, 10) ?? '',
  ]
  expect(await listSubjects('--until', first)).toEqual(['key', 'user first'])
  expect(await listSubjects('--since', last)).toEqual(['user last', 'user there', 'method m-1'])
  expect(await listEntries('--reseller', 'Orbit', '--limit', '1')).toMatchObject({
    entries: [{ subject: 'user last', seq: 3 }],
    isCut: true,
  })
})

test('[OPS-03] invalid filters are refused with a message, and an empty result is reported', async () => {
  for (const [args, message] of [
    [['--since', '2026-02-30'], '--since: "2026-02-30" is not a day: write it as 2026-11-30.'],
    [['--limit', '10001'], '--limit: at most 10,000 entries are shown at once.'],
    [['--reseller', 'nobody'], 'There is no reseller named "nobody".'],
  ] as const)
    expect(await runCommand(context, 'audit', 'list', ...args)).toMatchObject({ exit: 1, out: '', err: message })
  expect(await runCommand(context, 'audit', 'list', '--by', 'nobody')).toEqual({ exit: 0, out: 'There are no such entries.', err: '' })
})
