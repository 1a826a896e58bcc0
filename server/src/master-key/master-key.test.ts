import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openContext } from '../context.ts'
import { openLog } from '../kit/log.ts'
import { payToken } from '../payments/pay-token.ts'
import { findInvoiceByPayToken } from '../payments/payment-link.queries.ts'
import { runAsAdministrator } from '../../test/databases/administrator.ts'
import { type OperatorHome, operatorHomes } from '../../test/support/cli-home.ts'
import { trySignIn } from '../../test/support/http-client.ts'
import { runJsonCommand } from '../../test/support/operator.ts'
import { addInvoice, PASSWORD } from '../../test/support/people.ts'

const testDatabase = inject('testDatabase')
const homes = operatorHomes()
let home: OperatorHome

beforeEach(async () => {
  home = await homes.next()
})
afterAll(() => homes.tearDown())

const dataDir = (): string => home.env['DATA_DIR'] ?? ''
const keyFile = (): string => join(dataDir(), 'master.key')

/** A statement of the database's superuser. */
const runAsOwner = async (statement: string): Promise<void> => {
  if (testDatabase.kind === 'embedded') {
    const { embeddedStore } = await import('../db/database.ts')
    const { startEngine } = await import('../db/embedded/engine.ts')
    const store = embeddedStore(await startEngine({ folder: join(dataDir(), 'database') }), () => undefined)
    await store.transact({ role: 'owner' }, (db) => sql.raw(statement).execute(db))
    return store.close()
  }
  const url = new URL(testDatabase.adminUrl)
  url.pathname = new URL(home.env['DATABASE_URL'] ?? '').pathname
  return runAsAdministrator(url.href, statement)
}

/** A database with a reseller, a brand, a customer, and a user with a password; all of it is in the audit log. */
const fillDatabase = async (): Promise<void> => {
  await home.createDatabase()
  writeFileSync(join(home.folder, 'password'), PASSWORD)
  await home.withContext(async (context) => {
    await runJsonCommand(context, 'reseller', 'add', 'First', '--currency', 'AUD')
    await runJsonCommand(context, 'brand', 'add', 'First', '--reseller', 'First')
    await runJsonCommand(context, 'customer', 'add', 'Harbour', '--brand', 'First', '--external-id', 'C1')
    const user = ['user', 'add', 'ada', '--brand', 'First', '--customer', 'C1', '--name', 'Ada', '--email', 'ada@customer.example']
    await runJsonCommand(context, ...user, '--password-file', join(home.folder, 'password'))
  })
}

interface Verification {
  readonly isWhole: boolean
  readonly chains: readonly { readonly resellerId: number; readonly entries: number; readonly begunAnew: { readonly seq: number } | null }[]
}

const verify = async (): Promise<Verification> => JSON.parse((await home.run(['audit', 'verify', '--json'])).out) as Verification

const SERVER_COMMANDS = [
  ['migrate'],
  ['migrate', '--force'],
  ['reseller', 'list'],
  ['audit', 'verify'],
  ['seed-demo'],
  ['backup', 'FILE/wrong.backup'],
]

/** Opening the embedded database takes seconds, so fewer of them are tried on it. */
const refusedCommands = (): string[][] => [
  ['reseller', 'add', 'Second', '--currency', 'AUD'],
  ...(testDatabase.kind === 'embedded' ? [] : SERVER_COMMANDS.map((words) => words.map((word) => word.replace('FILE', home.folder)))),
]

test('[OPS-03] with another master key, or without one, every command and the server refuse, say where it was looked for and which it should be, and write nothing', async () => {
  await fillDatabase()
  const before = await verify()
  const key = readFileSync(keyFile(), 'utf8')
  const away = join(home.folder, 'away.key')
  const wanted = expect.stringMatching(new RegExp(`It should be the one with the mark [0-9a-f]{8}\\..*--accept-new-key`)) as string

  renameSync(keyFile(), away)
  for (const words of refusedCommands()) {
    const { exit, err } = await home.run(words)
    expect([words, exit, err]).toEqual([words, 1, wanted])
    expect(err).toContain(`There is no master key in ${keyFile()}, and MASTER_KEY is not set.`)
  }
  const other = { MASTER_KEY: randomBytes(32).toString('hex') }
  for (const words of refusedCommands()) {
    const { exit, err } = await home.run(words, other)
    expect([words, exit, err]).toEqual([words, 1, wanted])
    expect(err).toContain('The master key in the setting MASTER_KEY (mark ')
  }
  if (testDatabase.kind === 'postgres') expect(await home.spawn(['serve'], other)).toMatchObject({ exit: 1, err: wanted })
  expect((await home.run(['init', '--yes'], { SETTINGS_FILE: join(home.folder, 'other.env') })).err).toContain('Nothing was written.')
  expect([existsSync(keyFile()), existsSync(join(home.folder, 'wrong.backup')), existsSync(join(home.folder, 'other.env'))]).toEqual([
    false,
    false,
    false,
  ])

  expect((await home.run(['doctor', '--json'])).out).toContain('It should be the one with the mark')
  expect((await home.run(['migrate', '--print-roles'])).exit).toBe(0)
  expect((await home.run(['migrate', '--help'])).exit).toBe(0)

  renameSync(away, keyFile())
  expect(await verify()).toEqual(before)
  if (testDatabase.kind === 'embedded') return
  expect((await home.run(['reseller', 'list'], other)).err).toContain('fits: take MASTER_KEY out of the settings')
  expect((await home.run(['reseller', 'list'], { MASTER_KEY: key, DATA_DIR: '/nowhere' })).exit).toBe(0)
})

test('[OPS-03] a database without a mark gets one only from the key that sealed the last entry of its audit log', async () => {
  await fillDatabase()
  await runAsOwner('delete from master_key_mark')
  const sealed = 'It should be the one that sealed the last entry of the audit log.'
  expect((await home.run(['reseller', 'list'], { MASTER_KEY: randomBytes(32).toString('hex') })).err).toContain(sealed)
  expect((await home.run(['reseller', 'list'])).exit).toBe(0)
  expect((await home.run(['reseller', 'list'], { MASTER_KEY: randomBytes(32).toString('hex') })).err).toContain('the one with the mark')
})

const NO_LOG = `delete from master_key_mark; alter table audit_entry disable trigger all; alter table audit_head disable trigger all;
  delete from audit_entry; delete from audit_head; alter table audit_entry enable trigger all; alter table audit_head enable trigger all`

test('[OPS-03] a database of before the audit log gets a mark from the key that opens its client secrets', async () => {
  await fillDatabase()
  const organization = ['sso', 'set', '--reseller', 'First', '--company', 'orbit', '--kind', 'oidc', '--brand', 'First']
  const provider = [
    '--issuer',
    'https://login.orbit.example',
    '--client-id',
    'portal',
    '--client-secret-file',
    join(home.folder, 'password'),
  ]
  expect((await home.run([...organization, ...provider, '--domain', 'orbit.example'])).err).toBe('')
  await runAsOwner(NO_LOG)
  const sealed = 'It should be the one that sealed the client secrets of single sign-on.'
  expect((await home.run(['reseller', 'list'], { MASTER_KEY: randomBytes(32).toString('hex') })).err).toContain(sealed)
  expect((await home.run(['reseller', 'list'])).exit).toBe(0)
  expect((await home.run(['reseller', 'list'], { MASTER_KEY: randomBytes(32).toString('hex') })).err).toContain('the one with the mark')
})

test('[OPS-03] a filled database in which nothing proves a key takes none, until a person says which', async () => {
  await fillDatabase()
  await runAsOwner(NO_LOG)
  const unknown = { exit: 1, err: expect.stringContaining('Nothing tells whether the master key in ') as string }
  expect(await home.run(['reseller', 'list'], { MASTER_KEY: randomBytes(32).toString('hex') })).toMatchObject(unknown)
  expect(await home.run(['reseller', 'list'])).toMatchObject(unknown)
  expect((await home.run(['migrate', '--accept-new-key', '--yes'])).err).toBe('')
  await home.withContext(async (context) => {
    const app = await buildApp(context, { readiness: { isReady: true }, portalFolder: null })
    expect((await trySignIn(app, { username: 'ada' })).statusCode).toBe(200)
    await app.close()
  })
})

test('[OPS-03] a restore tells that the backup has another key than the installation, and every command refuses until it is there', async () => {
  await fillDatabase()
  const file = join(home.folder, 'house.backup')
  expect((await home.run(['backup', file])).exit).toBe(0)
  const key = readFileSync(keyFile(), 'utf8')
  await home.useEmptyDatabase(join(home.folder, 'second'))
  const restored = await home.run(['restore', file])
  expect([restored.exit, restored.err]).toEqual([
    0,
    expect.stringContaining('not the one of this backup. There is no master key in') as string,
  ])
  expect(existsSync(keyFile())).toBe(false)
  expect((await home.run(['reseller', 'list'])).exit).toBe(1)
  mkdirSync(dataDir(), { recursive: true })
  writeFileSync(keyFile(), key)
  expect((await home.run(['reseller', 'list'])).exit).toBe(0)
  expect(await verify()).toMatchObject({ isWhole: true })
})

test('[OPS-03] after a key is lost, --accept-new-key says what is lost and begins the audit log anew, which is whole from there on', async () => {
  await fillDatabase()
  await home.withContext((context) => addInvoice(context, 1, 1))
  const keys = join(home.folder, 'keys.json')
  writeFileSync(keys, JSON.stringify({ secretKey: 'sk_test_example_desk', webhookSecrets: ['whsec_example'] }))
  const setAccount = [
    'reseller',
    'payments',
    'set',
    'First',
    '--type',
    'stripe',
    '--address',
    'http://127.0.0.1:9',
    '--credentials',
    keys,
    '--payments',
    'on',
  ]
  expect((await home.run(setAccount)).err).toBe('')
  const before = await verify()
  expect((await home.run(['migrate', '--accept-new-key', '--yes'])).err).toContain('there is nothing to accept')

  rmSync(keyFile(), { force: true })
  expect((await home.run(['migrate', '--accept-new-key'])).err).toContain('every password')
  expect(existsSync(keyFile())).toBe(false)
  const accepted = await home.run(['migrate', '--accept-new-key', '--yes'])
  expect([accepted.exit, accepted.err]).toEqual([0, ''])
  for (const words of ['1 passwords are lost', '1 accounts at payment companies', '1 payment links', 'audit verify says'])
    expect(accepted.out).toContain(words)

  const { isWhole, chains } = await verify()
  expect(isWhole).toBe(true)
  expect(chains.map(({ resellerId, begunAnew }) => [resellerId, begunAnew?.seq])).toEqual(
    [{ resellerId: 0, entries: 0 }, ...before.chains].map(({ resellerId, entries }) => [resellerId, entries + 1]),
  )
  expect((await home.run(['audit', 'verify'])).out).toMatch(/begun anew with entry \d+ at .* because the master key was replaced/)
  // The account that cannot be opened is no obstacle; nobody answers at its address, so the operator says whose the credentials are.
  expect((await home.run([...setAccount, '--account-is', 'same'])).err).toBe('')
  await home.withContext(async (context) => {
    const app = await buildApp(context, { readiness: { isReady: true }, portalFolder: null })
    expect((await trySignIn(app, { username: 'ada' })).statusCode).toBe(400)
    await app.close()
    const linked = await context.store.transact({ role: 'counterfoil_system' }, (db) =>
      findInvoiceByPayToken(db, payToken(context.keys, 1, 1)),
    )
    expect(linked).toMatchObject({ customerId: 1, invoiceId: 1 })
  })

  await runAsOwner(
    `alter table audit_entry disable trigger all; update audit_entry set actor_name = 'Eve' where reseller_id = 0 and action = 'master-key.replaced'`,
  )
  expect(await verify()).toMatchObject({ isWhole: false })
})

test.runIf(testDatabase.kind === 'postgres')(
  '[OPS-03] several first starts at once, in two data folders, end with one master key and the others refused',
  async () => {
    const folders = ['one', 'one', 'two', 'two'].map((name) => join(home.folder, name))
    const results = await Promise.allSettled(
      folders.map((DATA_DIR) => openContext(readConfig({ ...home.env, DATA_DIR }), openLog('silent'))),
    )
    for (const result of results) if (result.status === 'fulfilled') await result.value.close()
    const winners = new Set(results.flatMap(({ status }, at) => (status === 'fulfilled' ? [folders[at]] : [])))
    expect(winners.size).toBe(1)
    // A start that comes after the winner's mark was written makes no key of its own any more.
    const reason = /There is no master key in|is not the one that this database was filled with/
    for (const result of results) if (result.status === 'rejected') expect(String(result.reason)).toMatch(reason)
    expect(['one', 'two'].filter((name) => existsSync(join(home.folder, name, 'master.key')))).toHaveLength(1)
    const [winner = ''] = winners
    expect((await home.run(['reseller', 'list'], { DATA_DIR: winner })).exit).toBe(0)
  },
)
