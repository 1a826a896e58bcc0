import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { COMMAND, typeAtTerminal, hasTerminal, type OperatorHome, operatorHomes } from '../../test/support/cli-home.ts'

const testDatabase = inject('testDatabase')
const homes = operatorHomes()
let home: OperatorHome

beforeEach(async () => {
  home = await homes.next()
})
afterAll(() => homes.tearDown())

test('[OPS-03] init writes the settings file and the key for this user alone, and the other commands then need no environment', async () => {
  await home.createDatabase()
  const init = await home.spawn(['init', '--yes', '--json'], { PUBLIC_URL: 'https://billing.example.com' })
  expect([init.exit, JSON.parse(init.out)]).toMatchObject([0, { settings: join(home.folder, 'counterfoil.env'), keyMade: true }])
  const file = join(home.folder, 'counterfoil.env')
  expect(readFileSync(file, 'utf8')).toContain('PUBLIC_URL=https://billing.example.com\n')
  expect([statSync(file).mode & 0o777, statSync(join(home.folder, 'data', 'master.key')).mode & 0o777]).toEqual([0o600, 0o400])
  expect(await home.spawn(['init', '--yes'])).toMatchObject({ exit: 1, err: expect.stringContaining('is there already') as string })
  home.env = { PATH: home.env['PATH'] ?? '' }
  const migrated = await home.spawn(['migrate', '--json'])
  expect([migrated.exit, JSON.parse(migrated.out)]).toEqual([0, { upToDate: true, migrations: [] }])
  expect(existsSync(join(home.folder, '.counterfoil'))).toBe(false)
})

test('[OPS-03] migrate lists the migrations that it ran', async () => {
  await home.useEmptyDatabase(join(home.folder, 'empty'))
  expect((await home.run(['migrate'])).out).toMatch(/^0001-tenants\.sql has run\.\n(.*\n)+The schema is up to date\.\n?$/)
  expect((await home.run(['migrate'])).out.trim()).toBe('The schema is up to date.')
})

test.skipIf(!hasTerminal)(
  '[OPS-03] init asks at a terminal, asks again after an answer that cannot be used, and keeps what the environment says',
  async () => {
    delete home.env['PORT']
    const answers = ['billing.example.com', 'https://billing.example.com', '', 'eighty', '8080', '', '']
    const transcript = await typeAtTerminal(home, 'init', testDatabase.kind === 'embedded' ? ['', ...answers] : answers)
    expect(transcript).toContain('The setting PUBLIC_URL is not usable')
    expect(transcript).toContain('The setting PORT is not usable')
    const settings = readFileSync(join(home.folder, 'counterfoil.env'), 'utf8')
    expect(settings).toContain('PUBLIC_URL=https://billing.example.com\n')
    expect(settings).toContain('PORT=8080\n')
    expect(settings).toContain(`DATA_DIR=${join(home.folder, 'data')}\n`)
  },
)

test('[OPS-03] init and every other command refuse an unusable setting, and a settings file with an unknown setting', async () => {
  for (const [name, value] of [
    ['PORT', 'eighty'],
    ['DATABASE_URL', 'mysql://x'],
    ['PUBLIC_URL', 'billing.example.com'],
    ['MASTER_KEY', 'short'],
  ] as const) {
    const { exit, err } = await home.run(['init', '--yes'], { [name]: value, SETTINGS_FILE: join(home.folder, 'counterfoil.env') })
    expect([exit, err]).toEqual([1, expect.stringContaining(name) as string])
  }
  expect(existsSync(join(home.folder, 'counterfoil.env'))).toBe(false)
  expect(await home.spawn(['init'])).toMatchObject({ exit: 1, err: expect.stringContaining('Nobody is there to ask') as string })
  writeFileSync(join(home.folder, 'counterfoil.env'), 'DATABSE_URL=postgres://x\n')
  expect(await home.spawn(['reseller', 'list'])).toMatchObject({
    exit: 1,
    err: expect.stringContaining('names DATABSE_URL, which is no setting') as string,
  })
  expect(await home.run(['reseller', 'list'], { SETTINGS_FILE: join(home.folder, 'absent') })).toMatchObject({ exit: 1 })
  writeFileSync(join(home.folder, 'counterfoil.env'), '# settings\n\nexport PORT=3000\nMASTER_KEY abc\n')
  expect(await home.spawn(['reseller', 'list'])).toMatchObject({
    exit: 1,
    err: `Line 4 of the settings file counterfoil.env is not NAME=value.\n`,
  })
})

test('[OPS-03] an init that cannot make its key leaves no settings file', async () => {
  const occupied = join(home.folder, 'occupied')
  writeFileSync(occupied, '')
  const init = await home.spawn(['init', '--yes'], { DATA_DIR: occupied })
  expect(init).toMatchObject({ exit: 1, err: expect.stringContaining('cannot be used') as string })
  expect(existsSync(join(home.folder, 'counterfoil.env'))).toBe(false)
})

test('[OPS-03] a command whose reader has seen enough ends quietly, and does what it was told', async () => {
  await home.createDatabase()
  const program = `"${process.execPath}" "${COMMAND}"`
  const add = spawn(
    'bash',
    ['-c', `${program} reseller add Quiet --currency AUD --json | true; echo "\${PIPESTATUS[0]}"; ${program} migrate | head -c 1`],
    {
      cwd: home.folder,
      env: home.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  expect(await Promise.all([text(add.stdout), text(add.stderr)])).toEqual(['0\nT', ''])
  expect((await home.spawn(['reseller', 'show', 'Quiet'])).exit).toBe(0)
})

interface Diagnosis {
  readonly ok: boolean
  readonly findings: readonly { readonly about: string; readonly state: string; readonly says: string; readonly mend?: string }[]
}

const diagnose = async (more: Record<string, string> = {}): Promise<Diagnosis & { exit: number | null }> => {
  const { exit, out } = await home.run(['doctor', '--json'], more)
  return { ...(JSON.parse(out) as Diagnosis), exit }
}
const findingsAbout = ({ findings }: Diagnosis, about: string) => findings.filter((one) => one.about === about)

test('[OPS-03] doctor reports what is wrong and how to fix it, and changes nothing', async () => {
  const before = await diagnose()
  expect(before.exit).toBe(1)
  expect(findingsAbout(before, 'mail')).toMatchObject([{ state: 'bad', mend: expect.stringContaining('MAIL_URL') as string }])
  expect(findingsAbout(before, 'keys')).toMatchObject([{ state: 'warning' }])
  expect(existsSync(join(home.folder, 'data'))).toBe(false)

  await home.createDatabase()
  await home.withContext(async () => undefined) // the first start makes the key
  const after = await diagnose({ PUBLIC_URL: 'https://billing.example.com' })
  for (const about of ['address', 'files', 'keys', 'key', 'role', 'schema', 'clock'])
    expect(findingsAbout(after, about), about).toMatchObject([{ state: 'good' }])
  chmodSync(join(home.folder, 'data'), 0o755)
  const open = await diagnose({ PUBLIC_URL: 'http://billing.example.com' })
  expect(findingsAbout(open, 'files')).toMatchObject([{ state: 'warning', mend: expect.stringContaining('chmod 700') as string }])
  expect(findingsAbout(open, 'address')).toMatchObject([{ state: 'bad' }])
  expect(findingsAbout(await diagnose({ MASTER_KEY: randomBytes(32).toString('hex') }), 'key')).toMatchObject([
    { state: 'bad', mend: expect.stringContaining('Bring back') as string },
  ])
  expect(findingsAbout(await diagnose({ LIMITS: 'account=never' }), 'settings')).toMatchObject([{ state: 'bad' }])
  chmodSync(join(home.folder, 'data', 'master.key'), 0o600)
  writeFileSync(join(home.folder, 'data', 'master.key'), 'not a key')
  expect(findingsAbout(await diagnose(), 'keys')).toMatchObject([{ state: 'bad', says: expect.stringContaining('damaged') as string }])
})

test.skipIf(testDatabase.kind !== 'postgres')('[OPS-03] doctor reports a database that is away or wrong, and a superuser', async () => {
  if (testDatabase.kind !== 'postgres') return
  const changedUrl = (change: (url: URL) => void): string => {
    const url = new URL(home.env['DATABASE_URL'] ?? '')
    change(url)
    return url.href
  }
  const cases: [string, string, RegExp][] = [
    ['database', changedUrl((url) => (url.port = '1')), /nobody listens there/],
    ['database', changedUrl((url) => (url.pathname = 'nowhere')), /no database of that name/],
    ['role', testDatabase.adminUrl, /is a superuser or has BYPASSRLS/],
  ]
  for (const [about, url, words] of cases)
    expect(findingsAbout(await diagnose({ DATABASE_URL: url }), about)).toMatchObject([
      { state: 'bad', says: expect.stringMatching(words) as string },
    ])
  // On PostgreSQL 15 only an administrator can take the roles' rights from the user that signs in.
  expect(findingsAbout(await diagnose(), 'roles')[0]).toMatchObject({ state: expect.stringMatching('good|warning') as string })
})

test('[OPS-03] doctor asks the running server for the database that it holds', async () => {
  await home.createDatabase()
  await home.withServer(async () => {
    const { findings } = await diagnose()
    expect(findings.find(({ about }) => about === 'schema')).toMatchObject({ state: 'good' })
  })
})

test('[OPS-03] the program ends with 0, 1 or 2, and with --json a refusal is one JSON object too', async () => {
  expect(await home.spawn(['--help'])).toMatchObject({ exit: 0, out: expect.stringContaining('doctor') as string })
  expect(await home.spawn([])).toMatchObject({ exit: 2 })
  expect(await home.spawn(['no-such-command'])).toMatchObject({ exit: 2, err: expect.stringContaining('unknown command') as string })
  expect(await home.spawn(['import', 'agreements'])).toMatchObject({ exit: 2 })
  const refused = await home.spawn(['reseller', 'show', 'nobody', '--json'])
  expect(refused.exit).toBe(1)
  expect(JSON.parse(refused.out)).toEqual({ error: 'There is no reseller named "nobody".' })
  expect(refused.err).toBe('There is no reseller named "nobody".\n')
})

test('[OPS-03] doctor tells a port that another program holds from one at which the server listens', async () => {
  const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  expect(findingsAbout(await diagnose({ PORT: String(port), HOST: '127.0.0.1' }), 'port')).toMatchObject([
    { state: 'bad', says: `Port ${port} is taken by another program.` },
  ])
  taken.close()
  await once(taken, 'close')
  expect(findingsAbout(await diagnose({ PORT: String(port), HOST: '127.0.0.1' }), 'port')).toMatchObject([{ state: 'good' }])
})
