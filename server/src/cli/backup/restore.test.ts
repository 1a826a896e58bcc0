import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { buildApp } from '../../app.ts'
import type { AppContext } from '../../context.ts'
import { dispatchCommand } from '../program/dispatch.ts'
import { hasPostgres } from '../../../test/databases/postgres-binaries.ts'
import { isFull } from '../../../test/databases/full-run.ts'
import { PORTAL, trySignIn } from '../../../test/support/http-client.ts'
import { typeAtTerminal, hasTerminal, type OperatorHome, operatorHomes } from '../../../test/support/cli-home.ts'
import { runJsonCommand, type CommandResult } from '../../../test/support/operator.ts'
import { PASSWORD } from '../../../test/support/people.ts'

const testDatabase = inject('testDatabase')
/** Whether an encrypted file is bad does not depend on the database, and an engine that starts on a folder takes seconds. */
const isShownOnPostgres = testDatabase.kind === 'embedded' && hasPostgres() && !isFull
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
  'migration', // a restored database is not marked as distributed
  'import_staging',
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

test('[OPS-03] a backup that is stopped leaves no file, not even a part of one', async () => {
  await home.createDatabase()
  const stop = new AbortController()
  const file = join(home.folder, 'stopped.backup')
  await home.withContext(async (context) => {
    const io = { out: () => undefined, err: () => undefined, json: true, openFile: () => Promise.reject(), catchStop: () => stop.signal }
    const backup = dispatchCommand('backup', context, io, [file], {})
    const watcher = watch(home.folder, () => stop.abort()) // as soon as the part is there
    await expect(backup).rejects.toThrow('Stopped. No backup was made.')
    watcher.close()
  })
  expect(readdirSync(home.folder).filter((name) => name.startsWith('stopped'))).toEqual([])
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

/** A key pair as age-keygen makes it: the file with the secret key, and the public key. */
const createKey = async (name: string): Promise<{ file: string; recipient: string }> => {
  const identity = await generateX25519Identity()
  const [file, recipient] = [join(home.folder, name), await identityToRecipient(identity)]
  writeFileSync(file, `# created: 2026-11-23T15:00:00Z\n# public key: ${recipient}\n${identity}\n`)
  return { file, recipient }
}

/** A chunk of an age file with its tag. */
const AGE_CHUNK_BYTES = 65_536 + 16

/** The file with its last two whole chunks exchanged; the chunks begin after the header and a nonce of 16 bytes. */
const exchangeChunks = (bytes: Buffer): Buffer => {
  const begin = bytes.indexOf('\n', bytes.indexOf('\n--- ') + 1) + 1 + 16
  const at = (chunk: number): number => begin + chunk * AGE_CHUNK_BYTES
  return Buffer.concat([bytes.subarray(0, begin), bytes.subarray(at(1), at(2)), bytes.subarray(begin, at(1)), bytes.subarray(at(2))])
}

test('[OPS-03] a backup encrypted under a running server is read by any of its keys, and by nobody else', async () => {
  await home.createDatabase()
  const username = await home.withContext((context) => addPeople(context, 'First'))
  const [office, vault] = [await createKey('office.key'), await createKey('vault.key')]
  const file = join(home.folder, 'encrypted.backup')
  await home.withServer(async () => {
    const made = await home.spawn(['backup', file, '--recipient', office.recipient, '--recipient', vault.recipient, '--json'])
    expect([made.exit, JSON.parse(made.out)]).toMatchObject([0, { file, database: testDatabase.kind, encrypted: true }])
  })
  const bytes = readFileSync(file)
  expect(bytes.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  for (const clear of ['PGDMP', username, 'First']) expect([clear, bytes.includes(clear)]).toEqual([clear, false])

  const key = readFileSync(join(home.folder, 'data', 'master.key'), 'utf8')
  home.env['MASTER_KEY'] = key
  await home.useEmptyDatabase(join(home.folder, 'other'))
  expect(await restore(file, '--identity', vault.file, '--json')).toMatchObject({ exit: 0, err: '' })
  await home.withContext(async (context) => expect(await signIn(context, username)).toBe(200))
})

test.skipIf(isShownOnPostgres)(
  '[OPS-03] an encrypted backup without its key, cut or changed is refused, and the installation is unchanged',
  async () => {
    const { file: plain } = await backUp()
    const [own, other] = [await createKey('own.key'), await createKey('other.key')]
    const file = join(home.folder, 'encrypted.backup')
    const before = await home.withContext(async (context) => {
      await runJsonCommand(context, 'backup', file, '--recipient', own.recipient)
      await addPeople(context, 'Second')
      return customers(context)
    })
    const bytes = readFileSync(file)
    expect(bytes.length).toBeGreaterThan(3 * AGE_CHUNK_BYTES)
    const writeFile = (name: string, content: Buffer | string): string => {
      writeFileSync(join(home.folder, name), content)
      return join(home.folder, name)
    }
    const changed = Buffer.from(bytes)
    changed[changed.length - 20] = (changed.at(-20) ?? 0) ^ 1
    const identity = ['--identity', own.file]
    const wrong: [file: string, options: string[], message: string][] = [
      [file, [], 'is encrypted: name the file with the key'],
      [file, ['--identity', other.file], 'is encrypted for another key'],
      [file, ['--identity', writeFile('no.key', '# public key: age1\n')], 'holds no key of age'],
      [file, ['--identity', writeFile('damaged.key', 'AGE-SECRET-KEY-1QQQQ\n')], 'is damaged'],
      [file, ['--identity', join(home.folder, 'absent')], 'There is no file'],
      [plain, identity, 'is not an encrypted backup'],
      [writeFile('cut', bytes.subarray(0, -1)), identity, 'is cut or damaged'],
      [writeFile('whole-chunks', bytes.subarray(0, bytes.length - (bytes.length % AGE_CHUNK_BYTES))), identity, 'is cut or damaged'],
      [writeFile('header', bytes.subarray(0, 40)), identity, 'is cut or damaged'],
      [writeFile('changed', changed), identity, 'is cut or damaged'],
      [writeFile('exchanged', exchangeChunks(bytes)), identity, 'is cut or damaged'],
    ]
    for (const [path, options, message] of wrong) {
      const { exit, err } = await restore(path, ...options) // refused before it asks whether to replace the database
      expect([path, options, exit, err]).toEqual([path, options, 1, expect.stringContaining(message) as string])
      expect(err).not.toMatch(/ at .*\.ts:/)
    }
    const refused = await home.run(['backup', join(home.folder, 'new'), '--recipient', readFileSync(own.file, 'utf8').split('\n')[2] ?? ''])
    expect(refused).toMatchObject(failsWith('--recipient takes the public key'))
    expect(refused.err).not.toContain('AGE-SECRET-KEY')
    await home.withContext(async (context) => expect(await customers(context)).toEqual(before))
  },
)
