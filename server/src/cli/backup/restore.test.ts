import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { buildApp } from '../../app.ts'
import type { AppContext } from '../../context.ts'
import { PORTAL, trySignIn } from '../../../test/support/http-client.ts'
import { typeAtTerminal, hasTerminal, type OperatorHome, operatorHomes } from '../../../test/support/cli-home.ts'
import { runJsonCommand, type CommandResult } from '../../../test/support/operator.ts'
import { PASSWORD } from '../../../test/support/people.ts'

const testDatabase = inject('testDatabase')
const homes = operatorHomes()
let home: OperatorHome

beforeEach(async () => {
  home = await homes.next()
})
afterAll(() => homes.tearDown())

const failsWith = (message: string | RegExp) => ({ exit: 1, err: expect.stringMatching(message) as string })
const restore = (file: string, ...words: string[]): Promise<CommandResult> => home.run(['restore', file, ...words])

const signIn = async (context: AppContext, username: string): Promise<number> => {
  const app = await buildApp(context, { readiness: { isReady: true }, portalFolder: null })
  try {
    return (await trySignIn(app, { username })).statusCode
  } finally {
    await app.close()
  }
}

const customers = (context: AppContext): Promise<unknown> => runJsonCommand(context, 'customer', 'list')

/** Tables that a sign-in, a start or a restore changes. */
const VOLATILE_TABLES: ReadonlySet<string> = new Set([
  'session',
  'known_address',
  'refresh_token',
  'rate_limit',
  'audit_entry',
  'audit_head',
  'record_import',
  'usage_load',
])

/** How many rows each table has, months of usage one by one, as an administrator counts them. */
const countRows = async (): Promise<Record<string, number>> => {
  if (testDatabase.kind !== 'postgres') return {}
  const url = new URL(testDatabase.adminUrl)
  url.pathname = new URL(home.env['DATABASE_URL'] ?? '').pathname
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query<{ name: string; n: number }>(`
    select c.relname::text as name, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from public.%I', c.relname), false, true, '')))[1]::text::int as n
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
  await client.end()
  const counts = Object.fromEntries(rows.filter(({ name }) => !VOLATILE_TABLES.has(name)).map(({ name, n }) => [name, n]))
  expect(counts['usage_record_2026_10']).toBe(1)
  return counts
}

/** A reseller with a brand, a customer, usage and a user who may sign in; the username is given back. */
const addPeople = async (context: AppContext, name: string): Promise<string> => {
  const writeFile = (file: string, content: string): string => {
    writeFileSync(join(home.folder, file), content)
    return join(home.folder, file)
  }
  const username = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}`
  const password = writeFile('password', PASSWORD)
  const files = {
    services: writeFile('services.csv', 'externalId,name\nS,Data\n'),
    'record-types': writeFile('types.csv', 'externalId,service,description\nT,S,Data\n'),
    usage: writeFile(
      'usage.csv',
      'externalId,customer,date,service,recordType,units,price\nu1,C1,2026-10-05,S,T,1.5,0.2\nu2,C1,2026-11-05,S,T,2,0.3\n',
    ),
  }
  await runJsonCommand(context, 'reseller', 'add', name, '--currency', 'AUD')
  await runJsonCommand(context, 'brand', 'add', name, '--reseller', name)
  await runJsonCommand(context, 'customer', 'add', name, '--brand', name, '--external-id', 'C1')
  await runJsonCommand(
    context,
    'user',
    'add',
    username,
    '--brand',
    name,
    '--customer',
    'C1',
    '--reseller',
    name,
    '--password-file',
    password,
  )
  for (const [kind, file] of Object.entries(files)) await runJsonCommand(context, 'import', kind, file, '--reseller', name)
  return username
}

/** A filled installation and its backup. */
const backUp = async (): Promise<{ username: string; file: string }> => {
  await home.createDatabase()
  const file = join(home.folder, 'house.backup')
  const username = await home.withContext(async (context) => {
    const name = await addPeople(context, 'First')
    await runJsonCommand(context, 'backup', file)
    return name
  })
  return { username, file }
}

test.skipIf(!hasTerminal)('[OPS-03] a command that cannot be undone asks at the terminal, and anything but yes is no', async () => {
  const { file } = await backUp()
  expect(await typeAtTerminal(home, `restore ${file}`, ['y'])).toContain('Nothing was changed.')
  expect(await typeAtTerminal(home, `restore ${file}`, ['yes'])).toContain('is restored.')
})

test('[OPS-03] a backup made under a running server, restored into an empty installation, signs its people in and has every row', async () => {
  await home.createDatabase()
  const username = await home.withContext((context) => addPeople(context, 'First'))
  const file = join(home.folder, 'house.backup')
  await home.withServer(async (address) => {
    const made = await home.spawn(['backup', file, '--json'])
    expect([made.exit, JSON.parse(made.out)]).toMatchObject([0, { file, database: testDatabase.kind }])
    const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD, ...PORTAL })
    expect((await fetch(`${address}/token`, { method: 'POST', body, headers: { host: 'localhost' } })).status).toBe(200)
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = readFileSync(join(home.folder, 'data', 'master.key'), 'utf8')
  expect(readFileSync(file).includes(key)).toBe(false)
  const before = await home.withContext(async (context) => {
    await expect(runJsonCommand(context, 'backup', file)).rejects.toThrow('is there already')
    return [await customers(context), await countRows()]
  })

  await home.useEmptyDatabase(join(home.folder, 'other'))
  home.env['MASTER_KEY'] = key
  expect(JSON.parse((await restore(file, '--json')).out)).toMatchObject({ keyFits: true })
  const after = await countRows()
  await home.withContext(async (context) => {
    expect([await customers(context), after]).toEqual(before)
    const usage = join(home.folder, 'usage.csv')
    expect(await runJsonCommand(context, 'import', 'usage', usage, '--reseller', 'First')).toMatchObject({
      rows: 2,
      imported: 0,
      repeated: 2,
    })
    expect(await signIn(context, username)).toBe(200)
    expect(await signIn(context, await addPeople(context, 'Second'))).toBe(200) // the sequences continue
  })
})

test('[OPS-03] a restore replaces nothing without a confirmation, and everything with one', async () => {
  const { username: first, file } = await backUp()
  const second = await home.withContext((context) => addPeople(context, 'Second'))
  expect(await restore(file)).toMatchObject(failsWith('--yes'))
  await home.withServer(async () => expect(await restore(file, '--yes')).toMatchObject(failsWith(/in use by process|Stop it first/)))
  await home.withContext(async (context) => expect(await signIn(context, second)).toBe(200))
  const restored = await restore(file, '--yes', '--json')
  expect(restored.exit).toBe(0)
  if (testDatabase.kind === 'embedded') expect(existsSync((JSON.parse(restored.out) as { before?: string }).before ?? '')).toBe(true)
  await home.withContext(async (context) => {
    expect(await signIn(context, first)).toBe(200)
    expect(await signIn(context, second)).toBe(400)
  })
  home.env['MASTER_KEY'] = randomBytes(32).toString('hex')
  expect(await restore(file, '--yes')).toMatchObject({
    exit: 0,
    err: expect.stringContaining('The master key is not the one of this backup') as string,
  })
})

test('[OPS-03] a file that is no backup, cut, damaged or of the other database is refused, and the installation is unchanged', async () => {
  const { username, file } = await backUp()
  const bytes = readFileSync(file)
  const writeFile = (name: string, content: Buffer): string => {
    writeFileSync(join(home.folder, name), content)
    return join(home.folder, name)
  }
  const bad = [
    writeFile('empty', Buffer.alloc(0)),
    writeFile('text', Buffer.from('Dear operator')),
    writeFile('zip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])),
    writeFile('dump', Buffer.from('PGDMP and no more')),
    writeFile('half', bytes.subarray(0, Math.floor(bytes.length / 2))),
    writeFile('damaged', Buffer.concat([bytes.subarray(0, 20_000), randomBytes(2_000), bytes.subarray(22_000)])),
    join(home.folder, 'absent'),
    home.folder,
  ]
  for (const path of bad) {
    const { exit, err } = await restore(path, '--yes')
    expect([path, exit, err]).toEqual([path, 1, expect.stringMatching(/\.$/m) as string])
    expect(err).not.toMatch(/ at .*\.ts:/)
  }
  await home.withContext(async (context) => {
    expect(await signIn(context, username)).toBe(200)
    await expect(runJsonCommand(context, 'backup', join(home.folder, 'no', 'such', 'folder'))).rejects.toThrow('ended with 1')
  })
})
