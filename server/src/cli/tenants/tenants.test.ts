import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RESELLERS } from '../../demo/resellers/resellers.ts'
import { clientFor, sendRequest, signInAs, trySignIn } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { runCommand, runJsonCommand, type CommandResult } from '../../../test/support/operator.ts'
import { PASSWORD } from '../../../test/support/people.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'
import { assertLegible } from './legibility.rules.ts'

let context: TestContext
let app: FastifyInstance
let last = 0
/** A name that is unique in this file. */
let name: string
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-tenants-'))

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  last += 1
  name = `House ${last}`
})

const run = (...words: string[]): Promise<CommandResult> => runCommand(context, ...words)
const runJson = <T = Record<string, unknown>>(...words: string[]): Promise<T> => runJsonCommand<T>(context, ...words)
const writeFile = (name: string, bytes: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z" fill="#123456"/></svg>'
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const addReseller = async (...more: string[]): Promise<number> =>
  (await runJson<{ id: number }>('reseller', 'add', name, '--currency', 'AUD', ...more)).id

test('[OPS-03] a name that documents cannot show is taken, with a note that names its letters', async () => {
  await addReseller()
  const brand = await run('brand', 'add', '青い Blue', '--reseller', name)
  expect(brand).toMatchObject({ exit: 0, err: expect.stringContaining('letters that no font here has (青 い)') as string })
  expect((await run('brand', 'set', '青い Blue', '--reseller', name, '--name', 'Łódź ברית')).err).toBe('')
})

test('[OPS-03] a reseller, a brand, a customer and a user made at the command line sign in at the brand’s own domain', async () => {
  const reseller = await addReseller('--email', 'billing@example.com', '--address-line', '1 Mill Lane', '--address-line', 'Perth')
  const domain = `portal${last}.example.com`
  const brand = await runJson<{ id: number; domain: string }>('brand', 'add', 'Blue', '--reseller', name, '--domain', domain.toUpperCase())
  expect(brand.domain).toBe(domain)
  const customer = await runJson<{ id: number }>('customer', 'add', 'Harbour Lights', '--brand', String(brand.id), '--external-id', 'H-1')
  const password = writeFile('password', `${PASSWORD}\n`)
  const username = `harbour-${last}`
  const made = await runJson('user', 'add', username, '--brand', String(brand.id), '--customer', 'H-1', '--password-file', password)
  expect(made).toEqual({ id: expect.any(String) as string, username, brand: brand.id, reseller, customers: [customer.id] })

  const session = await signInAs(app, { username })
  const me = await clientFor(app, session).get('/v1/ec/me', { host: domain })
  expect(me.json()).toEqual({
    customers: [{ customerId: customer.id, label: 'Harbour Lights', selected: true, currency: 'AUD', currencySymbol: '$' }],
    numberLocale: null,
    receiptEmail: null,
  })
})

test('[AUTH-10] [AUTH-11] several domains at once: each host has its brand, its colours, its logo and its banner, and signs in its own users alone', async () => {
  const first = await addReseller()
  const second = (await runJson<{ id: number }>('reseller', 'add', `${name} Two`, '--currency', 'USD')).id
  const made: { id: number; domain: string; colour: string; owner: number; username: string }[] = []
  for (const [at, owner] of [first, first, second].entries()) {
    const [domain, colour, username] = [`b${at}.house${last}.example`, ['#0b5fa5', '#7a1f5c', '#1b6b3a'][at] ?? '', `at-${last}-${at}`]
    const { id } = await runJson<{ id: number }>(
      'brand',
      'add',
      `Brand ${at}`,
      '--reseller',
      String(owner),
      '--domain',
      domain,
      '--colour2',
      colour,
    )
    const [logo, banner] = [writeFile('logo.svg', SVG.replace('#123456', colour)), writeFile('banner.png', PNG)]
    await runJson('brand', 'image', String(id), '--logo', logo, ...(at === 0 ? [] : ['--banner', banner]))
    await runJson('customer', 'add', `Customer ${at}`, '--brand', String(id), '--external-id', `C-${last}-${at}`)
    const password = writeFile('password', PASSWORD)
    await runJson('user', 'add', username, '--brand', String(id), '--customer', `C-${last}-${at}`, '--password-file', password)
    made.push({ id, domain, colour, owner, username })
  }
  for (const { id, domain, colour, username } of made) {
    const found = await sendRequest(app, { url: `/v1/brands-settings?d=${domain}` })
    expect(found.json()).toMatchObject({ id, colour2: colour })
    const logo = await sendRequest(app, { url: `/brand-images/${id}/logo` })
    expect([logo.headers['content-type'], logo.body]).toEqual(['image/svg+xml', SVG.replace('#123456', colour)])
    const banner = await sendRequest(app, { url: `/brand-images/${id}/banner` })
    expect(banner.statusCode).toBe(id === made[0]?.id ? 404 : 200) // the sign-in page then shows brand 0's
    for (const host of made.map((other) => other.domain)) {
      const answer = await trySignIn(app, { username }, { host })
      expect(answer.statusCode, `${username} at ${host}`).toBe(host === domain ? 200 : 400)
    }
  }
})

test('[OPS-03] a name is unique, an id may be chosen, and the next one comes after it', async () => {
  const id = 5_000 + last * 10
  expect(await runJson('reseller', 'add', name, '--currency', 'nzd', '--id', String(id))).toEqual({ id, name, currency: 'NZD' })
  expect(await run('reseller', 'add', name.toUpperCase(), '--currency', 'NZD')).toMatchObject({
    exit: 1,
    err: expect.stringContaining('already') as string,
  })
  expect(await run('reseller', 'add', `${name} B`, '--currency', 'NZD', '--id', String(id))).toMatchObject({ exit: 1 })
  expect((await runJson<{ id: number }>('reseller', 'add', `${name} C`, '--currency', 'NZD')).id).toBe(id + 1)
  expect(await runJson('reseller', 'show', name)).toMatchObject({ id, currency: 'NZD', currencySymbol: '$', invoiceLabel: 'Invoice' })
  await runJson('reseller', 'set', String(id), '--invoice-label', 'Rechnung', '--phone', '+61 8 5550 0000')
  await runJson('reseller', 'set', String(id), '--phone', '')
  expect(await runJson('reseller', 'show', String(id))).toMatchObject({ invoiceLabel: 'Rechnung', phone: null })
  expect((await runJson<{ resellers: { id: number }[] }>('reseller', 'list')).resellers.map((row) => row.id)).toContain(id)
})

test('[OPS-03] an external id belongs to one customer of a reseller', async () => {
  await addReseller()
  await runJson('brand', 'add', 'B', '--reseller', name)
  await runJson('customer', 'add', 'One', '--brand', 'B', '--reseller', name, '--external-id', `one-${last}`)
  await runJson('customer', 'add', 'Two', '--brand', 'B', '--reseller', name, '--external-id', `two-${last}`)
  for (const args of [
    ['add', 'Three', '--brand', 'B', '--external-id', `one-${last}`],
    ['set', `two-${last}`, '--external-id', `one-${last}`],
  ])
    expect(await run('customer', ...args, '--reseller', name)).toMatchObject({
      exit: 1,
      err: '--external-id: another customer of this reseller has it.',
    })
})

test('[OPS-03] flags are switched by their names, and --json and the table show the same', async () => {
  await addReseller()
  await runJson('brand', 'add', 'Flags', '--reseller', name, '--off', 'reports, usage', '--item-label', 'SIM card')
  const flags = await runJson('brand', 'flags', 'Flags', '--reseller', name, '--on', 'usage')
  expect(flags).toMatchObject({ reports: false, usage: true, dashboard: true, 'usage-cost-centre': false })
  const table = await run('brand', 'flags', 'Flags', '--reseller', name)
  expect(table.out).toMatch(/^reports +off$/m)
  expect(await runJson('brand', 'show', 'Flags', '--reseller', name)).toMatchObject({ itemLabel: 'SIM card', logo: null })
  const wrong = await run('brand', 'flags', 'Flags', '--reseller', name, '--on', 'everything')
  expect(wrong).toMatchObject({ exit: 1, err: expect.stringContaining('"everything" is no flag; there are dashboard') as string })
})

test('[OPS-03] [BRAND-01] colours that cannot be read together are refused with their ratios, and nothing is changed', async () => {
  await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'Legible', '--reseller', name, '--colour2', '#0B5FA5')
  const faint = await run('brand', 'set', String(id), '--colour3', '#dddddd', '--name', 'Faint')
  expect(faint.exit).toBe(1)
  expect(faint.err).toContain('--colour3 #dddddd (text) on --colour1 #ffffff (the surface): 1.35 : 1, needs 4.5 : 1')
  expect(await runJson('brand', 'show', String(id))).toMatchObject({ name: 'Legible', colour3: '#1d2733', colour2: '#0b5fa5' })
  const made = await run('brand', 'add', 'Unborn', '--reseller', name, '--colour1', '#888888')
  expect([made.exit, (await runJson<{ brands: unknown[] }>('brand', 'list', '--reseller', name)).brands.length]).toEqual([1, 1])
  const refused = RESELLERS.filter(({ brand }) => {
    const [colour1, colour2, colour3, , colour5, colour6] = brand.colours
    try {
      assertLegible({ colour1, colour2, colour3, colour5, colour6 })
      return false
    } catch {
      return true
    }
  })
  expect(refused.map(({ brand }) => brand.colours[1])).toEqual(['#ffe27a']) // one demo brand is pale on purpose: the portal must adjust it
})

test.each(['red', '#fff', '#12345g', '', '#1f5fd6; background: url(x)', 'rgb(0,0,0)'])('[OPS-03] %j is no colour', async (colour) => {
  await addReseller()
  expect(await run('brand', 'add', 'B', '--reseller', name, '--colour4', colour)).toMatchObject({
    exit: 1,
    err: expect.stringContaining('--colour4') as string,
  })
})

test.each([
  'https://billing.example.com',
  'billing.example.com/portal',
  'billing.example.com:8443',
  'localhost',
  '10.0.0.1',
  '[::1]',
  '-bad.example.com',
  'a..example.com',
  'under_score.example.com',
  `${'a'.repeat(64)}.example.com`,
  'spa ce.example.com',
  'user@example.com',
  '%2e.example.com',
  "x'; drop table brand; --",
])('[OPS-03] [AUTH-11] %j is no domain of a brand', async (domain) => {
  await addReseller()
  const { exit, err } = await run('brand', 'add', 'B', '--reseller', name, '--domain', domain)
  expect([exit, err]).toEqual([1, expect.stringContaining('--domain') as string])
})

test('[AUTH-11] a domain beyond ASCII is kept as browsers send it, and one domain belongs to one brand', async () => {
  await addReseller()
  const made = await runJson('brand', 'add', 'One', '--reseller', name, '--domain', `konten${last}.Müller.example`)
  expect(made).toMatchObject({ domain: `konten${last}.xn--mller-kva.example` })
  const taken = await run('brand', 'add', 'Two', '--reseller', name, '--domain', `konten${last}.müller.example`)
  expect(taken).toMatchObject({ exit: 1, err: '--domain: another brand of this installation is reached under this domain.' })
  await runJson('brand', 'set', 'One', '--reseller', name, '--domain', '')
  await runJson('brand', 'add', 'Two', '--reseller', name, '--domain', `konten${last}.müller.example`)
})

const HOSTILE: [string, string | Buffer][] = [
  ['a script', SVG.replace('<path', '<script>alert(1)</script><path')],
  [
    'a script under another prefix',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg"><s:script>1</s:script></svg>',
  ],
  ['an event handler', SVG.replace('<path', '<path onload="alert(1)"')],
  ['a handler after a slash', '<svg/onload=alert(1) xmlns="http://www.w3.org/2000/svg"></svg>'],
  ['HTML inside', SVG.replace('<path', '<foreignObject><body/></foreignObject><path')],
  ['a script address', SVG.replace('<path', '<use href="javascript:alert(1)"/><path')],
  ['a hidden script address', SVG.replace('<path', '<use xlink:href="&#106;avascript:alert(1)"/><path')],
  ['another site’s picture', SVG.replace('<path', '<image href="https://evil.example/x.png"/><path')],
  ['another site’s style', SVG.replace('<path', '<style>@import "https://evil.example/x.css";</style><path')],
  ['a style address', SVG.replace('<path', '<path style="fill:url(https://evil.example/#x)"')],
  ['an entity of a file', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${SVG}`],
  ['an animated address', SVG.replace('<path', '<animate attributeName="href" to="javascript:1"/><path')],
  ['a cut SVG', SVG.slice(0, 60)],
  ['a cut PNG', PNG.subarray(0, 40)],
  ['HTML called PNG', '<!doctype html><script>alert(1)</script>'],
  ['nothing', ''],
  ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
  ['2 MiB and a byte', Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024)])],
]

test.each(HOSTILE)('[OPS-03] [AUTH-10] a picture with %s is refused, and the brand keeps the one it had', async (_what, bytes) => {
  await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'Pictures', '--reseller', name)
  await runJson('brand', 'image', String(id), '--logo', writeFile('good.svg', SVG))
  const { exit, err } = await run('brand', 'image', String(id), '--logo', writeFile('bad.png', bytes))
  expect([exit, err]).toEqual([1, expect.stringContaining('bad.png') as string])
  expect((await sendRequest(app, { url: `/brand-images/${id}/logo` })).body).toBe(SVG)
})

test('[OPS-03] [AUTH-10] pictures are known by their bytes, replaced and taken away', async () => {
  await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'Pictures', '--reseller', name)
  const inkscape = `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made here -->\n${SVG.replace('<path', '<defs><linearGradient id="g"/></defs><path style="fill:url(#g)"')}\n`
  await runJson('brand', 'image', String(id), '--logo', writeFile('logo.png', inkscape), '--banner', writeFile('banner.svg', PNG))
  expect(await runJson('brand', 'show', String(id))).toMatchObject({ logo: 'image/svg+xml', banner: 'image/png' })
  await runJson('brand', 'image', String(id), '--remove', 'banner')
  expect((await sendRequest(app, { url: `/brand-images/${id}/banner` })).statusCode).toBe(404)
  expect(await run('brand', 'image', String(id), '--remove', 'banner')).toMatchObject({ exit: 1 })
  expect(await run('brand', 'image', String(id))).toMatchObject({ exit: 1 })
  expect(await run('brand', 'image', String(id), '--logo', join(folder, 'absent.png'))).toMatchObject({ exit: 1 })
})

test('[OPS-03] a disabled user is out at once, everywhere, and in again when enabled', async () => {
  await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'B', '--reseller', name)
  await runJson('customer', 'add', 'C', '--brand', String(id), '--external-id', `D-${last}`)
  const username = `disabled-${last}`
  const made = await run('user', 'add', username, '--brand', String(id), '--customer', `D-${last}`)
  const password = /^Password: (\S+) \(shown this once\)$/m.exec(made.out)?.[1] ?? ''
  const answer = await trySignIn(app, { username, password })
  const bearer = { authorization: `Bearer ${answer.json<{ access_token: string }>().access_token}` }
  expect((await sendRequest(app, { url: '/v1/ec/me', headers: bearer })).statusCode).toBe(200)

  expect(await run('user', 'disable', username)).toMatchObject({ exit: 1, err: expect.stringContaining('--yes') as string })
  expect((await trySignIn(app, { username, password })).statusCode).toBe(200)
  expect(await runJson('user', 'disable', username, '--yes')).toMatchObject({ disabled: true, sessionsEnded: 2 })
  context.advance(1_500) // sessions are cached for a second
  expect((await sendRequest(app, { url: '/v1/ec/me', headers: bearer })).statusCode).toBe(401)
  expect((await trySignIn(app, { username, password })).statusCode).toBe(400)
  await runJson('user', 'enable', username)
  expect((await trySignIn(app, { username, password })).statusCode).toBe(200)
})

test('[OPS-03] a user acts for exactly the customers that are set, of its own reseller alone', async () => {
  await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'B', '--reseller', name)
  for (const key of ['x', 'y', 'z']) await runJson('customer', 'add', key, '--brand', String(id), '--external-id', `${key}-${last}`)
  const username = `acting-${last}`
  await runJson('user', 'add', username, '--brand', String(id), '--customer', `x-${last}`, '--customer', `y-${last}`)
  await runJson('user', 'set', username, '--customer', `z-${last}`, '--customer', `y-${last}`, '--name', 'Zoë Young')
  const shown = await runJson<{ displayName: string; customers: string[] }>('user', 'show', username)
  expect([shown.displayName, shown.customers.map((one) => one[0]).toSorted()]).toEqual(['Zoë Young', ['y', 'z']])
  const foreign = await runJson<{ id: number }>('reseller', 'add', `${name} foreign`, '--currency', 'AUD')
  const other = await runJson<{ id: number }>('brand', 'add', 'B', '--reseller', String(foreign.id))
  await runJson('customer', 'add', 'theirs', '--brand', String(other.id), '--external-id', `theirs-${last}`)
  expect(await run('user', 'set', username, '--customer', `theirs-${last}`)).toMatchObject({ exit: 1 })
  expect(
    (await runJson<{ users: { username: string }[] }>('user', 'list', '--customer', `z-${last}`)).users.map((user) => user.username),
  ).toEqual([username])
})

test('[OPS-03] a password comes from a file, and a weak, empty or broken one is refused', async () => {
  await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'B', '--reseller', name)
  const bad: [string, string | Buffer][] = [
    ['empty', ''],
    ['short', 'abc\n'],
    ['weak', 'password1\n'],
    ['two lines', `${PASSWORD}\nmore\n`],
    ['not text', Buffer.from([0xff, 0xfe, 1, 2, 3, 4, 5, 6])],
    ['long', 'x'.repeat(2_000)],
    ['own', `weak-user-${last}`],
  ]
  for (const [what, bytes] of bad) {
    const said = await run('user', 'add', `weak-user-${last}`, '--brand', String(id), '--password-file', writeFile('password', bytes))
    expect([what, said.exit]).toEqual([what, 1])
    expect(said.err).toMatch(/password/i)
  }
  expect((await runJson<{ users: unknown[] }>('user', 'list', '--brand', String(id))).users).toEqual([])
})

const WORDS = [
  '',
  ' ',
  '0',
  '-1',
  '9'.repeat(30),
  "'; drop table reseller; --",
  '\u0000',
  'a\u0007b',
  'x'.repeat(5_000),
  '\ud800',
  '../../etc/passwd',
  '‮gnp',
  '🙂'.repeat(300),
  '$(reboot)',
]
const AIMS: [string, (word: string) => string[]][] = [
  ['reseller add', (word) => ['reseller', 'add', word, '--currency', word]],
  ['reseller show', (word) => ['reseller', 'show', word]],
  ['reseller set', (word) => ['reseller', 'set', word, '--email', word]],
  ['reseller labels', (word) => ['reseller', 'labels', word, '--extra-field1', word]],
  ['reseller reports', (word) => ['reseller', 'reports', word, '--on', word]],
  ['reseller list', (word) => ['reseller', 'list', word]],
  ['brand add', (word) => ['brand', 'add', word, '--reseller', word, '--domain', word]],
  ['brand list', (word) => ['brand', 'list', '--reseller', word]],
  ['brand show', (word) => ['brand', 'show', word]],
  ['brand set', (word) => ['brand', 'set', word, '--colour1', word, '--service', word]],
  ['brand flags', (word) => ['brand', 'flags', word, '--on', word]],
  ['brand image', (word) => ['brand', 'image', word, '--logo', word, '--remove', word]],
  ['customer add', (word) => ['customer', 'add', word, '--brand', word, '--external-id', word]],
  ['customer list', (word) => ['customer', 'list', '--limit', word]],
  ['customer show', (word) => ['customer', 'show', word]],
  ['customer set', (word) => ['customer', 'set', word, '--name', word]],
  ['user add', (word) => ['user', 'add', word, '--brand', word, '--customer', word]],
  ['user list', (word) => ['user', 'list', '--customer', word]],
  ['user show', (word) => ['user', 'show', word]],
  ['user set', (word) => ['user', 'set', word, '--email', word]],
  ['user disable', (word) => ['user', 'disable', word, '--yes']],
  ['user enable', (word) => ['user', 'enable', word]],
  ['user invite', (word) => ['user', 'invite', word, '--brand', word, '--email', word]],
  ['user reset-link', (word) => ['user', 'reset-link', word]],
]

test.each(AIMS)('[OPS-03] %s refuses every invalid value with a message, and stores nothing of it', async (_command, line) => {
  const before = await runJson('reseller', 'list')
  for (const word of WORDS) {
    const { exit, err, out } = await run(...line(word))
    expect([1, 2], JSON.stringify(word)).toContain(exit)
    expect(err.length, JSON.stringify(word)).toBeGreaterThan(10)
    expect(`${err}${out}`).not.toMatch(/at .*\.ts:|select |insert |syntax error/i)
  }
  expect(await runJson('reseller', 'list')).toEqual(before)
})

test('[OPS-03] a command line that nobody knows ends with 2 and says what there is', async () => {
  for (const line of [
    ['brand', 'paint'],
    ['reseller', 'add'],
    ['reseller', 'add', 'X'],
    ['brand', 'add', 'X'],
    ['brand', 'show', 'X', '--loud'],
    ['user', 'add', 'x', 'y', '--brand', 'b'],
  ])
    expect(await run(...line), line.join(' ')).toMatchObject({ exit: 2, err: expect.stringMatching(/error: /) as string })
  expect(await run('brand', '--help')).toMatchObject({ exit: 0, out: expect.stringContaining('image [options] <brand>') as string })
  expect(await run('brand', 'add', '--help')).toMatchObject({ exit: 0, out: expect.stringContaining('--colour7 <#rrggbb>') as string })
})

test('[OPS-03] an invitation leaves by mail for exactly the customers named, and a reset link opens the account once', async () => {
  await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'B', '--reseller', name, '--domain', `invited${last}.example.com`)
  await runJson('customer', 'add', 'C', '--brand', String(id), '--external-id', `V-${last}`)
  const username = `invited-${last}`
  const line = ['user', 'invite', username, '--brand', String(id), '--customer', `V-${last}`, '--email', `${username}@example.com`]
  expect(await runJson(...line)).toMatchObject({ username, isNew: true, brand: id })
  expect(await runJson(...line)).toMatchObject({ isNew: false })
  expect(await runJson('user', 'show', username)).toMatchObject({
    hasPassword: false,
    customers: [expect.stringMatching(/^C \(\d+\)$/) as string],
  })
  expect(await run('user', 'reset-link', username)).toMatchObject({ exit: 1, err: expect.stringContaining('user invite') as string })
  for (const email of ['', 'nobody', 'a b@example.com', 'a@example.com\nBcc: all@example.com'])
    expect(await run('user', 'invite', `x-${last}`, '--brand', String(id), '--email', email), email).toMatchObject({ exit: 1 })

  const other = `reset-${last}`
  await runJson('user', 'add', other, '--brand', String(id), '--customer', `V-${last}`)
  const before = await runJson<{ url: string }>('user', 'reset-link', other)
  const { url } = await runJson<{ url: string }>('user', 'reset-link', other)
  expect(url).toMatch(new RegExp(`^https://invited${last}\\.example\\.com/reset-password/[\\w-]{65}$`))
  const reset = (link: string) =>
    sendRequest(app, { method: 'POST', url: '/v1/ec/password-reset', payload: { token: link.split('/').at(-1), password: PASSWORD } })
  expect((await reset(before.url)).statusCode).toBe(400)
  expect((await reset(url)).statusCode).toBe(204)
  expect((await reset(url)).statusCode).toBe(400)
  expect((await trySignIn(app, { username: other })).statusCode).toBe(200)
})

test('[OPS-03] [RPT-01] labels of extra fields and the reports on offer are what the reseller’s customers get', async () => {
  const reseller = await addReseller()
  const { id } = await runJson<{ id: number }>('brand', 'add', 'B', '--reseller', name, '--on', 'extra-field2')
  const customer = await runJson<{ id: number }>('customer', 'add', 'C', '--brand', String(id), '--external-id', `W-${last}`)
  const username = `words-${last}`
  await runJson(
    'user',
    'add',
    username,
    '--brand',
    String(id),
    '--customer',
    `W-${last}`,
    '--password-file',
    writeFile('password', PASSWORD),
  )
  await runJson('reseller', 'labels', String(reseller), '--extra-field2', 'Site code', '--extra-field3', 'x')
  expect(await runJson('reseller', 'labels', String(reseller), '--extra-field3', '')).toMatchObject({
    extraField2: 'Site code',
    extraField3: null,
  })
  await runJson('reseller', 'reports', String(reseller), '--off', 'account statement', '--off', 'Invoice Detail')
  const shown = await runJson('reseller', 'reports', String(reseller), '--on', 'Invoice Detail')
  expect(shown).toMatchObject({ 'Account Statement': false, 'Invoice Detail': true, 'Invoice Register': true })
  for (const wrong of [
    ['--off', 'Everything'],
    ['--on', 'Invoice Detail', '--off', 'invoice detail'],
  ])
    expect(await run('reseller', 'reports', String(reseller), ...wrong)).toMatchObject({ exit: 1 })
  const person = clientFor(app, await signInAs(app, { username }), customer.id)
  expect((await person.get('/v1/ec/extra-fields/labels')).body).toContain('Site code')
  const reports = new Set((await person.get('/v1/ec/reports')).json<{ name: string }[]>().map((report) => report.name))
  expect([reports.has('Invoice Detail'), reports.has('Account Statement')]).toEqual([true, false])
})

test('[OPS-03] what an operator does stands in the audit log, sealed', async () => {
  const reseller = await addReseller()
  await runJson('brand', 'add', 'B', '--reseller', name)
  await runJson('brand', 'set', 'B', '--reseller', name, '--colour2', '#0b5fa5')
  await runJson('customer', 'add', 'C', '--brand', 'B', '--reseller', name, '--external-id', `L-${last}`)
  await runJson('user', 'add', `logged-${last}`, '--brand', 'B', '--reseller', name, '--customer', `L-${last}`)
  await runJson('user', 'disable', `logged-${last}`, '--yes')
  await runJson('import', 'services', writeFile('services.csv', 'externalId,name\nS,Data\n'), '--reseller', name)
  await runJson('import', 'services', writeFile('services.csv', 'externalId,name\nS,Data 2\n'), '--reseller', name, '--dry-run')
  await run('brand', 'set', 'B', '--reseller', name, '--colour2', 'red')
  const entries = await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    db
      .selectFrom('audit_entry')
      .select(['action', 'actor_kind', 'source', 'detail'])
      .where('reseller_id', '=', reseller)
      .orderBy('seq')
      .execute(),
  )
  expect(entries.map(({ action }) => action)).toEqual([
    'reseller.added',
    'brand.added',
    'brand.changed',
    'customer.added',
    'user.added',
    'user.disabled',
    'records.imported',
  ])
  expect(entries.at(-1)).toMatchObject({ actor_kind: 'operator', source: 'command line', detail: 'services: 1 added, 0 changed' })
  expect((await verifyAudit(context.store, context.keys)).faults).toEqual([])
})
