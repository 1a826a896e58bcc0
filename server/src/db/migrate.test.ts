import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { openContext } from '../context.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { embeddedStore, postgresStore, type Store } from './database.ts'
import { startEngine } from './embedded/engine.ts'
import { openLog } from '../kit/log.ts'
import { isCompatibleText, migrate, migrationState, prepareServer, runMigrations } from './migrate.ts'
import { hasSchemaRights, inheritsRoles, ROLES } from './roles.ts'
import { OperatorError } from '../kit/api-error.ts'

const FILES = readdirSync(new URL('../migrations/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
const database = inject('testDatabase')
/** A busy machine is no fault. */
const WAIT = { timeout: 60_000 }
const ignore = (): void => undefined
const freshName = (): string => `counterfoil_test_${randomUUID().replaceAll('-', '')}`

describe('a migrated database', () => {
  let context: TestContext
  beforeAll(async () => {
    context = await testContext()
  })
  afterAll(() => context.close())

  test('is left alone when the program starts again', async () => {
    expect(await migrate(context.store)).toEqual([])
    expect(await migrate(context.store)).toEqual([])
    const rows = await queryAsAdministrator<{ name: string }>(context, 'select name from migration order by name')
    expect(rows.map(({ name }) => name)).toEqual(FILES)
  })

  test('is refused when a file that has run was changed since', async () => {
    const [row] = await queryAsAdministrator<{ digest: string }>(context, `select digest from migration where name = $1`, [FILES[0]])
    await queryAsAdministrator(context, `update migration set digest = 'other' where name = $1`, [FILES[0]])
    await expect(migrate(context.store)).rejects.toThrow(
      new OperatorError(`Migration ${FILES[0]} was changed after it had run. Restore the file; put the change into a new one.`),
    )
    await queryAsAdministrator(context, 'update migration set digest = $2 where name = $1', [FILES[0], row?.digest])
    expect(await migrate(context.store)).toEqual([])
  })

  test('of a newer program is refused, unless its migrations let earlier programs go on', async () => {
    await queryAsAdministrator(context, `insert into migration (name, digest, is_compatible) values ('9998-addition.sql', 'x', true)`)
    expect(await migrate(context.store)).toEqual([])
    expect(await migrationState(context.store)).toMatchObject({ unknown: [], compatible: ['9998-addition.sql'] })
    await queryAsAdministrator(context, `insert into migration (name, digest) values ('9999-tomorrow.sql', 'x')`)
    await expect(migrate(context.store)).rejects.toThrow(
      new OperatorError('The database has migration 9999-tomorrow.sql, which this program does not know. Run the newer program.'),
    )
  })
})

test('a migration is compatible when its first line says so, and only then', () => {
  for (const text of ['-- compatible', '-- compatible\nselect 1', '-- compatible: adds a column\n', '-- compatible. Adds one.'])
    expect([text, isCompatibleText(text)]).toEqual([text, true])
  for (const text of [
    '',
    '-- incompatible',
    '-- compatibles',
    '\n-- compatible',
    'select 1 -- compatible',
    '--compatible',
    '-- Not compatible',
  ])
    expect([text, isCompatibleText(text)]).toEqual([text, false])
})

test.runIf(database.kind === 'embedded')('two starts at once on an empty embedded database run every file once', async () => {
  const store = embeddedStore(await startEngine({ folder: null }), console.error)
  const ran = await Promise.all([migrate(store), migrate(store)])
  expect(ran.flat().toSorted()).toEqual(FILES)
  await store.close()
})

describe.runIf(database.kind === 'postgres')('a PostgreSQL server', () => {
  const adminUrl = database.kind === 'postgres' ? database.adminUrl : ''
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-migrate-'))
  const admin = async (statement: string, database = 'postgres'): Promise<void> => {
    const url = new URL(adminUrl)
    url.pathname = database
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const roles: string[] = []
  const databases: string[] = []

  /** A role with these rights and an empty database of its own. @returns the address that signs in as it */
  const owner = async (rights: string): Promise<{ url: string; role: string; database: string }> => {
    const [role, database] = [freshName(), freshName()]
    await admin(`create role ${role} login password 'x' ${rights}`)
    await admin(`create database ${database} owner ${role}`)
    roles.push(role)
    databases.push(database)
    const url = new URL(adminUrl)
    Object.assign(url, { username: role, password: 'x', pathname: database })
    return { url: url.href, role, database }
  }
  afterAll(async () => {
    for (const database of databases) await admin(`drop database ${database} with (force)`)
    for (const role of roles) await admin(`drop role ${role}`)
    rmSync(folder, { recursive: true, force: true })
  })

  const startingStore = (url: string): Store => postgresStore(url, ignore, { maxPerPool: 2, name: 'counterfoil start' })
  const open = (url: string) => openContext(readConfig({ DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' }), openLog('silent'))

  test('is brought up to date once by two processes that start at once', async () => {
    const { url } = await owner('createrole')
    const stores = [startingStore(url), startingStore(url)]
    const ran = await Promise.all(
      stores.map(async (store) => {
        await prepareServer(store)
        return runMigrations(store, { force: false })
      }),
    )
    expect(ran.flat().toSorted()).toEqual(FILES)
    await Promise.all(stores.map((store) => store.close()))
  })

  test('[OPS-03] gives a user who inherits no rights those on the schema once, though another program is about to', async () => {
    const { url, role, database } = await owner('noinherit')
    await admin(`grant ${ROLES.join(', ')} to ${role}`)
    const other = new pg.Client({ connectionString: Object.assign(new URL(adminUrl), { pathname: database }).href })
    await other.connect()
    await other.query(`begin; select pg_advisory_xact_lock(hashtext('counterfoil roles')); grant usage, create on schema public to ${role}`)
    const store = startingStore(url)
    const prepared = prepareServer(store).then(
      () => null,
      (error: unknown) => error,
    )
    await vi.waitFor(async () => {
      const { rowCount } = await other.query('select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))')
      expect(rowCount).toBe(1)
    }, WAIT)
    await other.query(`grant usage on schema public to ${ROLES.join(', ')}; commit`)
    await other.end()
    expect(await prepared).toBeNull()
    expect(await store.transact({ role: 'owner' }, hasSchemaRights)).toBe(true)
    await store.close()
  })

  test('[OPS-03] is not migrated beside a server of an earlier version, unless it goes on or --force is said', async () => {
    const { url, database } = await owner('createrole')
    const served = await open(url)
    const rerunnable = '0011-service-item-edit.sql'
    const started = startingStore(url)
    await admin(`delete from migration where name = '${rerunnable}'`, database)
    await expect(open(url)).rejects.toThrow(
      `A server, worker or command of an earlier version is connected to this database, and would fail beside ${rerunnable}. Stop it first, or say --force to go on.`,
    )
    expect(await runMigrations(started, { force: true })).toEqual([rerunnable])
    await (await open(url)).close() // nothing is pending, so a server of the same version starts beside it

    await admin(`delete from migration where name = '${rerunnable}'`, database)
    await served.close()
    await (await open(url)).close()
    await started.close()
  })

  test('[OPS-03] whose list of migrations an earlier program made gets what tells compatible ones from the others', async () => {
    const { url, database } = await owner('createrole')
    await (await open(url)).close()
    await admin(`alter table migration drop column is_compatible`, database)
    await (await open(url)).close() // nothing is pending: nothing is written
    await admin(`delete from migration where name = '0011-service-item-edit.sql'`, database)
    await (await open(url)).close()
    await admin('select is_compatible from migration', database)
  })

  test.each(['superuser', 'bypassrls'])(
    'is not served as a role that is %s: the sentence says how to make a proper one',
    async (rights) => {
      const { url, role } = await owner(rights)
      const refused = open(url)
      await expect(refused).rejects.toBeInstanceOf(OperatorError)
      await expect(refused).rejects.toThrow(
        [
          `DATABASE_URL signs in as "${role}", which is a superuser or has BYPASSRLS: row-level security would not hold for it.`,
          'Make a role of its own and put it into DATABASE_URL:',
          "  create role counterfoil login password '…' createrole;",
          '  create database counterfoil owner counterfoil;',
        ].join('\n'),
      )
    },
  )

  test('whose owner may not make roles is refused with the statements for an administrator, and they are enough', async () => {
    const { url, role, database } = await owner('nocreaterole')
    const error = await open(url).then(
      () => null,
      (refused: unknown) => refused,
    )
    expect(error).toBeInstanceOf(OperatorError)
    const [sentence = '', ...statements] = (error as OperatorError).message.split('\n')
    expect(sentence).toBe(`The database user "${role}" may not make the roles that keep customers apart. Ask an administrator to run:`)
    expect(statements).toHaveLength(14)
    await admin(statements.join('\n'), database)
    const context = await open(url)
    expect(await context.store.transact({ role: 'counterfoil_system' }, (db) => db.selectFrom('brand').select('id').execute())).toEqual([
      { id: 0 },
    ])
    // The owner has the rights of a role only while it takes it.
    expect(await context.store.transact({ role: 'owner' }, inheritsRoles)).toBe(false)
    expect(await context.store.transact({ role: 'owner' }, (db) => db.selectFrom('brand').select('id').execute())).toEqual([])
    await context.close()
  })

  test('that is not there is named in a sentence, without the password', async () => {
    const nowhere = open('postgres://counterfoil:hunter2@127.0.0.1:9/billing')
    await expect(nowhere).rejects.toThrow(
      new OperatorError(
        'The database billing at 127.0.0.1:9 cannot be reached: nobody listens there. Check DATABASE_URL and that the server runs.',
      ),
    )
  })
})
