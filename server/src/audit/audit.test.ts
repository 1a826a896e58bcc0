import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { DbRole } from '../db/database.ts'
import type { CommandIo } from '../cli/command.ts'
import { dispatchCommand } from '../cli/program/dispatch.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addTenant, queryAsAdministrator } from '../../test/support/people.ts'
import { type AuditEntry, INSTALLATION, writeAudit } from './audit.ts'
import { verifyAudit } from './verify-audit.ts'

let context: TestContext
const SYSTEM: DbRole = { role: 'counterfoil_system' }

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())

let chains = 100
/** A reseller's chain that no other test writes to. */
const newChain = (): number => (chains += 1)

const entry = (resellerId: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  resellerId,
  action: 'password.changed',
  actor: { kind: 'user', id: 'u-1', name: 'Ada' },
  subject: 'user u-1',
  source: '192.0.2.7',
  ...more,
})

const write = (values: AuditEntry, as: DbRole = SYSTEM): Promise<void> =>
  context.store.transact(as, (db) => writeAudit(db, context.keys, context.clock(), values))

const writeSome = async (resellerId: number, count: number): Promise<void> => {
  for (let at = 1; at <= count; at += 1) await write(entry(resellerId, { subject: `user ${at}`, before: at, after: at + 1 }))
}

/** Changes that a database superuser could make, bypassing the triggers. */
const tamper = async (...statements: string[]): Promise<void> => {
  for (const table of ['audit_entry', 'audit_head']) await queryAsAdministrator(context, `alter table ${table} disable trigger all`)
  for (const statement of statements) await queryAsAdministrator(context, statement)
  for (const table of ['audit_entry', 'audit_head']) await queryAsAdministrator(context, `alter table ${table} enable trigger all`)
}

const faultsOf = async (resellerId: number): Promise<string[]> =>
  (await verifyAudit(context.store, context.keys)).faults
    .filter((fault) => fault.resellerId === resellerId)
    .map(({ seq, kind }) => `${seq} ${kind}`)

test('an entry says who did what to whom from where and when, and of values only their keyed hashes', async () => {
  const chain = newChain()
  await write(entry(chain, { before: { b: 1, a: 'old value' }, after: 'new value', detail: '204', customerId: 7 }))
  await write(
    entry(chain, { actor: { kind: 'support', name: 'Sam', inNameOf: { id: 'u-2', name: 'Grace' } }, before: { a: 'old value', b: 1 } }),
  )
  const rows = await context.store.transact(SYSTEM, (db) =>
    db.selectFrom('audit_entry').selectAll().where('reseller_id', '=', chain).orderBy('seq').execute(),
  )
  expect(rows).toMatchObject([
    {
      seq: 1,
      at: context.clock(),
      action: 'password.changed',
      actor_kind: 'user',
      actor_id: 'u-1',
      actor_name: 'Ada',
      in_name_of: null,
      subject: 'user u-1',
      source: '192.0.2.7',
      detail: '204',
      about_customer_id: 7,
    },
    { seq: 2, actor_kind: 'support', actor_id: null, actor_name: 'Sam', in_name_of_id: 'u-2', in_name_of: 'Grace' },
  ])
  expect(rows[0]?.before_hash).toEqual(rows[1]?.before_hash)
  expect(rows[0]?.before_hash).not.toEqual(rows[0]?.after_hash)
  expect(JSON.stringify(rows)).not.toMatch(/old value|new value/)
})

test('a hundred concurrent entries for two resellers make two complete chains without a gap', async () => {
  const pair = [newChain(), newChain()]
  await Promise.all(Array.from({ length: 100 }, (_, at) => write(entry(pair[at % 2] ?? 0, { subject: `user ${at}` }))))
  for (const chain of pair) {
    const rows = await context.store.transact(SYSTEM, (db) =>
      db.selectFrom('audit_entry').select(['seq', 'subject']).where('reseller_id', '=', chain).orderBy('seq').execute(),
    )
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
    expect(new Set(rows.map(({ subject }) => subject)).size).toBe(50)
    expect(await faultsOf(chain)).toEqual([])
  }
})

test('a rolled-back transaction leaves no entry, and the chain stays complete', async () => {
  const chain = newChain()
  await writeSome(chain, 2)
  const undone = context.store.transact(SYSTEM, async (db) => {
    await writeAudit(db, context.keys, context.clock(), entry(chain))
    throw new Error('the work failed')
  })
  await expect(undone).rejects.toThrow('the work failed')
  await writeSome(chain, 1)
  const report = await verifyAudit(context.store, context.keys)
  expect(report.chains).toContainEqual({
    resellerId: chain,
    entries: 3,
    lastSeal: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    begunAnew: null,
  })
  expect(await faultsOf(chain)).toEqual([])
})

test('nobody may change or remove an entry: no role has the right, and the owner is refused too', async () => {
  const chain = newChain()
  await writeSome(chain, 2)
  const roles: DbRole[] = [
    SYSTEM,
    { role: 'counterfoil_reseller', resellerId: chain },
    { role: 'counterfoil_loader', resellerId: chain },
    { role: 'counterfoil_app', customerId: 1, resellerId: chain },
    { role: 'owner' },
  ]
  const forbiddenStatements = [
    `update audit_entry set actor_name = 'Eve'`,
    'delete from audit_entry',
    'truncate audit_entry',
    'delete from audit_head',
    'truncate audit_head',
  ]
  for (const role of roles)
    for (const statement of forbiddenStatements) {
      const done = context.store.transact(role, async (db) => {
        // On PostgreSQL row-level security hides every row from the owner: there is nothing to reject or change.
        const { numAffectedRows } = await sql.raw(statement).execute(db)
        expect(numAffectedRows, `${role.role}: ${statement}`).toBe(0n)
      })
      await done.catch((error: { code?: string }) => expect(error.code, `${role.role}: ${statement}`).toBe('42501'))
    }
  await expect(queryAsAdministrator(context, forbiddenStatements[0] ?? '')).rejects.toMatchObject({ code: '42501' })
  await expect(queryAsAdministrator(context, forbiddenStatements[1] ?? '')).rejects.toMatchObject({ code: '42501' })
  await expect(queryAsAdministrator(context, `update audit_head set seq = seq - 1`)).rejects.toMatchObject({ code: '42501' })
  expect(await faultsOf(chain)).toEqual([])
})

test("a customer's request adds entries about that customer and reads none; another customer or reseller is refused", async () => {
  const { resellerId, customerId } = await addTenant(context)
  const own: DbRole = { role: 'counterfoil_app', customerId, resellerId }
  await write(entry(resellerId, { customerId }), own)
  await expect(write(entry(resellerId, { customerId: customerId + 1 }), own)).rejects.toMatchObject({ code: '42501' })
  await expect(write(entry(resellerId), own)).rejects.toMatchObject({ code: '42501' })
  await expect(write(entry(resellerId + 1, { customerId }), own)).rejects.toThrow()
  const read = context.store.transact(own, (db) => db.selectFrom('audit_entry').select('seq').execute())
  await expect(read).rejects.toMatchObject({ code: '42501' })
  const operator: DbRole = { role: 'counterfoil_reseller', resellerId }
  await write(entry(resellerId), operator)
  const seen = await context.store.transact(operator, (db) => db.selectFrom('audit_entry').select('reseller_id').distinct().execute())
  expect(seen).toEqual([{ reseller_id: resellerId }])
  expect(await faultsOf(resellerId)).toEqual([])
})

test.each([
  ['at', `at + interval '1 day'`],
  ['action', `'user.invited'`],
  ['actor_kind', `'operator'`],
  ['actor_id', `'u-9'`],
  ['actor_name', `'Eve'`],
  ['subject', `'user 9'`],
  ['about_customer_id', '9'],
  ['source', `'203.0.113.1'`],
  ['detail', `'200'`],
  ['before_hash', `decode(repeat('ab', 32), 'hex')`],
  ['after_hash', 'null'],
  ['previous_seal', `decode(repeat('ab', 32), 'hex')`],
  ['seal', `decode(repeat('ab', 32), 'hex')`],
])('a changed %s is found', async (column, value) => {
  const chain = newChain()
  await writeSome(chain, 3)
  await tamper(`update audit_entry set ${column} = ${value} where reseller_id = ${chain} and seq = 2`)
  expect((await faultsOf(chain))[0]).toBe('2 changed')
})

test.each([
  [1, ['1 removed']],
  [3, ['3 removed']],
  [5, ['5 removed']],
])('a removed entry %i of five is found', async (seq, faults) => {
  const chain = newChain()
  await writeSome(chain, 5)
  await tamper(`delete from audit_entry where reseller_id = ${chain} and seq = ${seq}`)
  expect(await faultsOf(chain)).toEqual(faults)
})

test('entries that were removed and the others moved up are found, and so is a chain that was emptied', async () => {
  const [moved, emptied] = [newChain(), newChain()]
  await writeSome(moved, 4)
  await writeSome(emptied, 2)
  await tamper(
    `delete from audit_entry where reseller_id = ${moved} and seq = 2`,
    `update audit_entry set seq = seq - 1 where reseller_id = ${moved} and seq > 2`,
    `update audit_head set seq = 3 where reseller_id = ${moved}`,
    `delete from audit_entry where reseller_id = ${emptied}`,
  )
  expect(await faultsOf(moved)).toEqual(['2 changed', '3 changed'])
  expect(await faultsOf(emptied)).toEqual(['1 removed', '2 removed'])
})

const copyChain = (chain: number, from: number, to: number): string =>
  `insert into audit_entry select (jsonb_populate_record(e, jsonb_build_object('seq', ${to}))).* from audit_entry e where reseller_id = ${chain} and seq = ${from}`

test('an inserted entry is found, beyond the end, with the end moved over it, and in a chain of its own', async () => {
  const [beyond, over, own] = [newChain(), newChain(), newChain()]
  await writeSome(beyond, 2)
  await writeSome(over, 2)
  await tamper(
    copyChain(beyond, 2, 3),
    copyChain(over, 1, 3),
    `update audit_head set seq = 3, seal = (select seal from audit_entry where reseller_id = ${over} and seq = 3) where reseller_id = ${over}`,
    `insert into audit_entry select (jsonb_populate_record(e, jsonb_build_object('reseller_id', ${own}))).* from audit_entry e where reseller_id = ${over} and seq = 1`,
  )
  expect(await faultsOf(beyond)).toEqual(['3 inserted'])
  expect(await faultsOf(over)).toEqual(['3 changed'])
  expect(await faultsOf(own)).toEqual(['1 inserted'])
})

test('an entry sealed with another key is found: the database alone is not enough to forge one', async () => {
  const chain = newChain()
  const other = await testContext()
  await context.store.transact(SYSTEM, (db) => writeAudit(db, other.keys, context.clock(), entry(chain)))
  await other.close()
  expect(await faultsOf(chain)).toEqual(['1 changed'])
})

test('`counterfoil audit verify` says that the log is whole, or which entries are not, and ends with 1', async () => {
  const fresh = await testContext()
  const heard: string[] = []
  const io = (json: boolean): CommandIo => ({
    json,
    out: (line) => heard.push(line),
    err: (line) => heard.push(line),
    openFile: () => Promise.reject(),
  })
  const writeEntries = (values: AuditEntry): Promise<void> =>
    fresh.store.transact(SYSTEM, (db) => writeAudit(db, fresh.keys, fresh.clock(), values))
  try {
    await writeEntries(entry(INSTALLATION, { actor: { kind: 'system', name: 'worker' } }))
    await writeEntries(entry(3))
    expect(await dispatchCommand('audit verify', fresh, io(false), [], {})).toBe(0)
    expect(heard).toEqual([
      expect.stringMatching(/^The installation: 1 entry, the last sealed [0-9a-f]{64}$/),
      expect.stringMatching(/^Reseller 3: 1 entry, the last sealed [0-9a-f]{64}$/),
      'The audit log is whole.',
    ])
    await fresh.store.transact(SYSTEM, (db) => sql`update audit_head set seq = seq + 1 where reseller_id = 3`.execute(db))
    heard.length = 0
    expect(await dispatchCommand('audit verify', fresh, io(true), [], {})).toBe(1)
    expect(JSON.parse(heard[0] ?? '')).toMatchObject({
      isWhole: false,
      chains: [
        { resellerId: 0, entries: 1 },
        { resellerId: 3, entries: 2 },
      ],
      faults: [{ resellerId: 3, seq: 2, kind: 'removed' }],
    })
    heard.length = 0
    expect(await dispatchCommand('audit verify', fresh, io(false), [], {})).toBe(1)
    expect(heard).toContain('Reseller 3: entry 2 is missing.')
  } finally {
    await fresh.close()
  }
})
