import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { readConfig } from '../config.ts'
import { type House, openHouse } from '../house.ts'
import { openLog } from '../kit/log.ts'
import { PORTAL } from '../test-client.ts'
import { operated } from '../test-operator.ts'
import { PASSWORD } from '../test-people.ts'

const COMMAND = fileURLToPath(new URL('../../bin/counterfoil.js', import.meta.url))
const given = inject('testDatabase')
const made: string[] = []
const databases: string[] = []

/** A folder in which the program runs, with an empty database of this run's kind; nothing of it is there yet. */
let home: string
let env: Record<string, string>

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'counterfoil-operator-'))
  made.push(home)
  env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(home, 'data'),
    LOG_LEVEL: 'silent',
    PORT: String(await freePort()),
    STOP_DELAY_MS: '0',
    MAIL_URL: `smtp://127.0.0.1:${await freePort()}`,
    ...(await database()),
  }
})
afterAll(async () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
  for (const name of databases) await admin(`drop database if exists ${name} with (force)`)
})

const admin = async (statement: string): Promise<void> => {
  if (given.kind !== 'postgres') return
  const client = new pg.Client({ connectionString: given.adminUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const database = async (): Promise<Record<string, string>> => {
  if (given.kind !== 'postgres') return {}
  const name = `counterfoil_operator_${randomUUID().replaceAll('-', '')}`
  await admin(`create database ${name} owner counterfoil_test`)
  databases.push(name)
  const url = new URL(given.ownerUrl)
  url.pathname = name
  return { DATABASE_URL: url.href }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

interface Ended {
  readonly exit: number | null
  readonly out: string
  readonly err: string
}

/** Runs the program itself, as a person in that folder would. */
const counterfoil = async (words: readonly string[], more: Record<string, string> = {}): Promise<Ended> => {
  const child = spawn(process.execPath, [COMMAND, ...words], { cwd: home, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err] = [text(child.stdout), text(child.stderr)]
  const [exit] = (await once(child, 'close')) as [number | null]
  return { exit, out: await out, err: await err }
}

const done = async <T = Record<string, unknown>>(...words: string[]): Promise<T> => {
  const { exit, out, err } = await counterfoil([...words, '--json'])
  expect([words.join(' '), exit, err]).toEqual([words.join(' '), 0, err])
  return JSON.parse(out) as T
}

/** Starts the server, and gives it while the work lasts. */
const serving = async (work: () => Promise<void>): Promise<void> => {
  const child: ChildProcess = spawn(process.execPath, [COMMAND, 'serve'], {
    cwd: home,
    env: { ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('"ready"')) resolve()
      })
      child.once('exit', () => reject(new Error(`the server did not start: ${said}`)))
    })
    await work()
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : null
    child.kill('SIGTERM')
    await ended
  }
}

const signIn = async (username: string, host = 'localhost'): Promise<number> => {
  const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD, ...PORTAL })
  const answer = await fetch(`http://127.0.0.1:${env['PORT']}/token`, { method: 'POST', body, headers: { host } })
  return answer.status
}

/** Works on the house of this folder in this process, where starting the program again and again is not what the test is about. */
const inHouse = async <T>(work: (house: House) => Promise<T>): Promise<T> => {
  const config = readConfig(env)
  const house = await openHouse(config, openLog('silent'))
  try {
    return await work(house)
  } finally {
    await house.close()
  }
}

const customers = (): Promise<unknown> => inHouse((house) => operated(house, 'customer', 'list'))
const importUsage = (reseller: string): Promise<unknown> =>
  inHouse((house) => operated(house, 'import', 'usage', join(home, 'usage.csv'), '--reseller', reseller))

/** What a sign-in, a start or a restore itself moves. */
const MOVING: ReadonlySet<string> = new Set([
  'session',
  'refresh_token',
  'rate_limit',
  'audit_entry',
  'audit_head',
  'record_import',
  'usage_load',
])

/** How many rows each table has, months of usage one by one, as an administrator counts them. */
const rowCounts = async (): Promise<Record<string, number>> => {
  if (given.kind !== 'postgres') return {}
  const url = new URL(given.adminUrl)
  url.pathname = new URL(env['DATABASE_URL'] ?? '').pathname
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query<{ name: string; n: number }>(`
    select c.relname::text as name, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from public.%I', c.relname), false, true, '')))[1]::text::int as n
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
  await client.end()
  const counts = Object.fromEntries(rows.filter(({ name }) => !MOVING.has(name)).map(({ name, n }) => [name, n]))
  expect(counts['usage_record_2026_10']).toBe(1)
  return counts
}

/** A reseller with a brand, a customer, usage and a user who may sign in; the username is given back. */
const people = async (name: string): Promise<string> => {
  const put = (file: string, content: string): string => {
    writeFileSync(join(home, file), content)
    return join(home, file)
  }
  const username = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}`
  const password = put('password', PASSWORD)
  const files = {
    services: put('services.csv', 'externalId,name\nS,Data\n'),
    'record-types': put('types.csv', 'externalId,service,description\nT,S,Data\n'),
    usage: put(
      'usage.csv',
      'externalId,customer,date,service,recordType,units,price\nu1,C1,2026-10-05,S,T,1.5,0.2\nu2,C1,2026-11-05,S,T,2,0.3\n',
    ),
  }
  await inHouse(async (house) => {
    await operated(house, 'reseller', 'add', name, '--currency', 'AUD')
    await operated(house, 'brand', 'add', name, '--reseller', name)
    await operated(house, 'customer', 'add', name, '--brand', name, '--external-id', 'C1')
    await operated(house, 'user', 'add', username, '--brand', name, '--customer', 'C1', '--reseller', name, '--password-file', password)
    for (const [kind, file] of Object.entries(files)) await operated(house, 'import', kind, file, '--reseller', name)
  })
  return username
}

test('[OPS-03] init writes the settings file and the key for this user alone, and the other commands then need no environment', async () => {
  const init = await counterfoil(['init', '--yes', '--json'], { PUBLIC_URL: 'https://billing.example.com' })
  expect([init.exit, JSON.parse(init.out)]).toMatchObject([0, { settings: join(home, 'counterfoil.env'), keyMade: true }])
  const file = join(home, 'counterfoil.env')
  expect(readFileSync(file, 'utf8')).toContain('PUBLIC_URL=https://billing.example.com\n')
  expect([statSync(file).mode & 0o777, statSync(join(home, 'data', 'master.key')).mode & 0o777]).toEqual([0o600, 0o400])
  expect(await counterfoil(['init', '--yes'])).toMatchObject({ exit: 1, err: expect.stringContaining('is there already') as string })
  env = { PATH: env['PATH'] ?? '' }
  expect(await done('migrate')).toEqual({ upToDate: true })
  expect(existsSync(join(home, '.counterfoil'))).toBe(false)
})

/** What moves a terminal's cursor, and is no word. */
const STEERING = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')

/** Types lines at a terminal, where there is a program that makes one. */
const atTerminal = async (words: string, lines: readonly string[], without: readonly string[]): Promise<string> => {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !without.includes(name)))
  const line = `${process.execPath} ${COMMAND} ${words}`
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: home, env: own, stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  let heard = ''
  const left = [...lines]
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.toString()
    if (!heard.replaceAll(STEERING, '').endsWith(': ') || left.length === 0) return
    heard = ''
    child.stdin.write(`${left.shift() ?? ''}\n`)
  })
  await once(child, 'close')
  return said
}
const hasTerminal = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0

test.skipIf(!hasTerminal)(
  '[OPS-03] init asks at a terminal, asks again after an answer that cannot be used, and keeps what the environment says',
  async () => {
    const answers = ['billing.example.com', 'https://billing.example.com', '', 'eighty', '8080', '', '']
    const said = await atTerminal('init', given.kind === 'embedded' ? ['', ...answers] : answers, ['PORT'])
    expect(said).toContain('The setting PUBLIC_URL is not usable')
    expect(said).toContain('The setting PORT is not usable')
    const settings = readFileSync(join(home, 'counterfoil.env'), 'utf8')
    expect(settings).toContain('PUBLIC_URL=https://billing.example.com\n')
    expect(settings).toContain('PORT=8080\n')
    expect(settings).toContain(`DATA_DIR=${join(home, 'data')}\n`)
  },
)

test.skipIf(!hasTerminal)('[OPS-03] what cannot be taken back is asked at the terminal, and anything but yes is no', async () => {
  await people('First')
  const file = join(home, 'house.backup')
  await done('backup', file)
  expect(await atTerminal(`restore ${file}`, ['y'], [])).toContain('Nothing was changed.')
  expect(await atTerminal(`restore ${file}`, ['yes'], [])).toContain('is restored.')
})

test('[OPS-03] init and every other command refuse a setting that cannot be used, and a settings file with a word that is none', async () => {
  for (const [name, value] of [
    ['PORT', 'eighty'],
    ['DATABASE_URL', 'mysql://x'],
    ['PUBLIC_URL', 'billing.example.com'],
    ['MASTER_KEY', 'short'],
  ] as const) {
    const { exit, err, out } = await counterfoil(['init', '--yes', '--json'], { [name]: value })
    expect([exit, err]).toEqual([1, expect.stringContaining(name) as string])
    expect(JSON.parse(out)).toEqual({ error: err.trim() })
  }
  expect(existsSync(join(home, 'counterfoil.env'))).toBe(false)
  expect(await counterfoil(['init'])).toMatchObject({ exit: 1, err: expect.stringContaining('Nobody is there to ask') as string })
  writeFileSync(join(home, 'counterfoil.env'), 'DATABSE_URL=postgres://x\n')
  expect(await counterfoil(['reseller', 'list'])).toMatchObject({
    exit: 1,
    err: expect.stringContaining('names DATABSE_URL, which is no setting') as string,
  })
  expect(await counterfoil(['reseller', 'list'], { SETTINGS_FILE: join(home, 'absent') })).toMatchObject({ exit: 1 })
})

interface Diagnosis {
  readonly ok: boolean
  readonly findings: readonly { readonly about: string; readonly state: string; readonly says: string; readonly mend?: string }[]
}

const diagnosis = async (more: Record<string, string> = {}): Promise<Diagnosis & { exit: number | null }> => {
  const { exit, out } = await counterfoil(['doctor', '--json'], more)
  return { ...(JSON.parse(out) as Diagnosis), exit }
}
const found = ({ findings }: Diagnosis, about: string) => findings.filter((one) => one.about === about)

test('[OPS-03] doctor says what is wrong and how to mend it, and changes nothing', async () => {
  const before = await diagnosis()
  expect(before.exit).toBe(1)
  expect(found(before, 'mail')).toMatchObject([{ state: 'bad', mend: expect.stringContaining('MAIL_URL') as string }])
  expect(found(before, 'keys')).toMatchObject([{ state: 'warning' }])
  expect(existsSync(join(home, 'data'))).toBe(false)

  await done('migrate')
  const after = await diagnosis({ PUBLIC_URL: 'https://billing.example.com' })
  for (const about of ['address', 'files', 'keys', 'key', 'role', 'schema', 'clock'])
    expect(found(after, about), about).toMatchObject([{ state: 'good' }])
  chmodSync(join(home, 'data'), 0o755)
  expect(found(await diagnosis(), 'files')).toMatchObject([{ state: 'warning', mend: expect.stringContaining('chmod 700') as string }])
  expect(found(await diagnosis({ PUBLIC_URL: 'http://billing.example.com' }), 'address')).toMatchObject([{ state: 'bad' }])
  expect(found(await diagnosis({ MASTER_KEY: randomBytes(32).toString('hex') }), 'key')).toMatchObject([
    { state: 'bad', mend: expect.stringContaining('Bring back') as string },
  ])
  expect(found(await diagnosis({ LIMITS: 'account=never' }), 'settings')).toMatchObject([{ state: 'bad' }])
  chmodSync(join(home, 'data', 'master.key'), 0o600)
  writeFileSync(join(home, 'data', 'master.key'), 'not a key')
  expect(found(await diagnosis(), 'keys')).toMatchObject([{ state: 'bad', says: expect.stringContaining('damaged') as string }])
})

test.skipIf(given.kind !== 'postgres')('[OPS-03] doctor tells a database that is away, wrong or too mighty', async () => {
  if (given.kind !== 'postgres') return
  const at = (change: (url: URL) => void): string => {
    const url = new URL(env['DATABASE_URL'] ?? '')
    change(url)
    return url.href
  }
  const cases: [string, string, RegExp][] = [
    ['database', at((url) => (url.port = '1')), /nobody listens there/],
    ['database', at((url) => (url.pathname = 'nowhere')), /no database of that name/],
    ['role', given.adminUrl, /is a superuser or has BYPASSRLS/],
  ]
  for (const [about, url, words] of cases)
    expect(found(await diagnosis({ DATABASE_URL: url }), about)).toMatchObject([
      { state: 'bad', says: expect.stringMatching(words) as string },
    ])
})

test('[OPS-03] doctor asks the running server for the database that it holds', async () => {
  await serving(async () => {
    const { findings } = await diagnosis()
    expect(findings.find(({ about }) => about === 'schema')).toMatchObject({ state: 'good' })
  })
})

test('[OPS-03] [P22] a backup made under a running server, restored into an empty house, signs its people in and has every row', async () => {
  const username = await people('First')
  const file = join(home, 'house.backup')
  await serving(async () => {
    expect(await done('backup', file)).toMatchObject({ file, database: given.kind })
    expect(await signIn(username)).toBe(200)
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await counterfoil(['backup', file])).toMatchObject({ exit: 1, err: expect.stringContaining('is there already') as string })
  expect(readFileSync(file).includes(readFileSync(join(home, 'data', 'master.key')))).toBe(false)
  const before = [await customers(), await rowCounts()]

  const key = readFileSync(join(home, 'data', 'master.key'), 'utf8')
  Object.assign(env, await database(), { DATA_DIR: join(home, 'other'), MASTER_KEY: key })
  expect(await done('restore', file)).toMatchObject({ keyFits: true })
  expect([await customers(), await rowCounts()]).toEqual(before)
  expect(await importUsage('First')).toMatchObject({ rows: 2, imported: 0, repeated: 2 })
  await serving(async () => expect(await signIn(username)).toBe(200))
  const again = await people('Second') // what counts ids counts on
  await serving(async () => expect(await signIn(again)).toBe(200))
})

test('[OPS-03] [P22] a restore takes the place of nothing without a yes, and with one of everything', async () => {
  const first = await people('First')
  const file = join(home, 'house.backup')
  await done('backup', file)
  const second = await people('Second')
  expect(await counterfoil(['restore', file])).toMatchObject({ exit: 1, err: expect.stringContaining('--yes') as string })
  await serving(async () => {
    expect(await counterfoil(['restore', file, '--yes'])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/in use by process|Stop it first/) as string,
    })
    expect(await signIn(second)).toBe(200)
  })
  const restored = await done<{ before?: string }>('restore', file, '--yes')
  if (given.kind === 'embedded') expect(existsSync(restored.before ?? '')).toBe(true)
  await serving(async () => {
    expect(await signIn(first)).toBe(200)
    expect(await signIn(second)).toBe(400)
  })
  const other = await counterfoil(['restore', file, '--yes'], { MASTER_KEY: randomBytes(32).toString('hex') })
  expect(other).toMatchObject({ exit: 0, err: expect.stringContaining('The master key is not the one of this backup') as string })
})

test('[OPS-03] a file that is no backup, cut, damaged or of the other database is refused, and the house is as it was', async () => {
  const username = await people('First')
  const file = join(home, 'house.backup')
  await done('backup', file)
  const bytes = readFileSync(file)
  const put = (name: string, content: Buffer): string => {
    writeFileSync(join(home, name), content)
    return join(home, name)
  }
  const bad = [
    put('empty', Buffer.alloc(0)),
    put('text', Buffer.from('Dear operator')),
    put('zip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])),
    put('dump', Buffer.from('PGDMP and no more')),
    put('half', bytes.subarray(0, Math.floor(bytes.length / 2))),
    put('damaged', Buffer.concat([bytes.subarray(0, 20_000), randomBytes(2_000), bytes.subarray(22_000)])),
    join(home, 'absent'),
    home,
  ]
  for (const path of bad) {
    const { exit, err } = await counterfoil(['restore', path, '--yes'])
    expect([path, exit, err]).toEqual([path, 1, expect.stringMatching(/\.\n$|\.$/m) as string])
    expect(err).not.toMatch(/ at .*\.ts:/)
  }
  await serving(async () => expect(await signIn(username)).toBe(200))
  expect(await counterfoil(['backup', join(home, 'no', 'such', 'folder')])).toMatchObject({ exit: 1 })
})

test('[OPS-03] the program ends with 0, 1 or 2, and with --json a refusal is one JSON object too', async () => {
  expect(await counterfoil(['--help'])).toMatchObject({ exit: 0, out: expect.stringContaining('doctor') as string })
  expect(await counterfoil([])).toMatchObject({ exit: 2 })
  expect(await counterfoil(['no-such-command'])).toMatchObject({ exit: 2, err: expect.stringContaining('unknown command') as string })
  expect(await counterfoil(['import', 'agreements'])).toMatchObject({ exit: 2 })
  const refused = await counterfoil(['reseller', 'show', 'nobody', '--json'])
  expect(refused.exit).toBe(1)
  expect(JSON.parse(refused.out)).toEqual({ error: 'There is no reseller named "nobody".' })
  expect(refused.err).toBe('There is no reseller named "nobody".\n')
})
