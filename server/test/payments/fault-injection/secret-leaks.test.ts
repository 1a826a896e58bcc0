import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { postgresBinaries } from '../../databases/postgres-binaries.ts'
import { PORTAL } from '../../support/http-client.ts'
import { startTestMailbox } from '../../support/mailbox.ts'
import { addTenant, addInvoice, queryAsAdministrator, PASSWORD } from '../../support/people.ts'
import { testSandbox } from '../sandbox.ts'
import { saveAccount } from '../../../src/payments/accounts/accounts.ts'
import { ALL_CARDS, type Canary, canaryCard, found, foundInFolder } from './secret-scan.ts'
import { inProcessContext, serverSettings, type ServerSettings } from './killed-servers.ts'
import { serverPlace } from './server-location.queries.ts'

const SERVER = fileURLToPath(new URL('../../../src/counterfoil.ts', import.meta.url))
/** Codes of cards have three or four digits, which stand in any file; so they are looked for beside what they are called. */
const CODE = '7391'

const SECRET_KEY = 'sk_test_canarydesk_Zq81kVb0'
const WEBHOOK = 'whsec_canaryWh5tR7uQ2x'
const WRONG_PASSWORD = 'Canary-wrong-Kp3vT9'
const NEW_PASSWORD = 'Canary-newer-Xw6mB2-harbour'

interface Server {
  readonly address: string
  readonly said: () => Buffer
  kill(): Promise<void>
}

/** A server as a process of its own, every line of which is kept, at the level that says most. */
const startServer = async (settings: ServerSettings): Promise<Server> => {
  const child: ChildProcess = spawn(process.execPath, [SERVER, 'serve'], {
    env: { ...process.env, ...settings, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: Buffer[] = []
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${Buffer.concat(parts).toString()}`)))
    const hear = (part: Buffer): void => {
      parts.push(part)
      const told = /"address":"([^"]+)"/.exec(part.toString())?.[1]
      if (told !== undefined) resolve(told)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
  })
  return {
    address,
    said: () => Buffer.concat(parts),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

interface Payer {
  readonly resellerId: number
  readonly customerId: number
  readonly username: string
  readonly links: readonly { token: string; number: string; id: number }[]
}

const addPayer = (settings: ServerSettings, sandboxUrl: string): Promise<Payer> =>
  inProcessContext(settings, async (context) => {
    const family = await addTenant(context, {
      reseller: { payment_type: 1, payments_enabled: true, payments_bulk: true, payment_email_receipt: true },
    })
    const { resellerId, customerId, person } = family
    const account = { secretKey: SECRET_KEY, webhookSecrets: [WEBHOOK] }
    await saveAccount(context, { resellerId, provider: 'stripe', baseUrl: `${sandboxUrl}/stripe`, settings: account })
    for (let at = 0; at < 6; at += 1) await addInvoice(context, resellerId, customerId)
    const links = await queryAsAdministrator<{ token: string; number: string; id: number }>(
      context,
      'select pay_token as token, number, id::int from invoice order by id',
    )
    return { resellerId, customerId, username: person.username, links }
  })

type Call = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Record<string, string>,
) => Promise<{ status: number; json: never }>

const callsTo =
  (address: string): Call =>
  async (method, path, body, headers = {}) => {
    const answer = await fetch(address + path, {
      method,
      headers: { ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}) as never }
  }

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let cards = 0
/** A card number that nobody else has typed. */
const card = (): string => canaryCard((cards += 1))
const grouped = (number: string): string => (number.match(/.{4}/g) ?? []).join(' ')

/** Everything that a person may type a card's number into by mistake, or a program on purpose; gives the statuses of what must be refused. */
const misplaceCards = async (call: Call, { links, resellerId }: Payer): Promise<number[]> => {
  const [link] = links
  const good = {
    uid: link?.token,
    invoiceNumber: link?.number,
    invoiceAmount: '110.00',
    cardToken: 'pm_card_visa',
    cardHolder: 'Ada Payer',
  }
  const bodies: (object | string)[] = [
    { ...good, cardHolder: card() },
    { ...good, cardHolder: `Ada ${grouped(card())}` },
    { ...good, cardNumber: card(), expirationDate: '12 / 31', cardCode: CODE },
    { ...good, cardNumber: grouped(card()), cvc: CODE },
    { ...good, cardToken: card() },
    { ...good, email: `${card()}@example.com` },
    { ...good, billingAddress: { address: card() } },
    { ...good, billingAddress: { zip: grouped(card()) } },
    { ...good, invoiceNumber: card() },
    { ...good, invoiceAmount: card() },
    { ...good, uid: card() },
    { ...good, pan: card(), cvv: CODE },
    { ...good, nexioCustomerDetails: { payerFirstName: card(), card: card() } },
  ]
  const statuses: number[] = []
  for (const body of bodies) statuses.push((await call('POST', '/v1/ec/pay', body)).status)
  statuses.push(
    (await call('POST', '/v1/ec/pay', `{"cardNumber":"${card()}","cardCode":"${CODE}"`, { 'content-type': 'application/json' })).status,
  )
  statuses.push((await call('GET', `/v1/ec/payment/details/${card()}`)).status)
  await call('GET', `/nothing/${card()}?cardNumber=${card()}&cvc=${CODE}`, undefined, { 'user-agent': card() })
  const notice = `{"id":"evt_1","object":"event","data":{"object":{"number":"${card()}"}}}`
  statuses.push(
    (
      await call('POST', `/hooks/stripe/${resellerId}`, notice, {
        'stripe-signature': `t=1,v1=${card()}`,
        'content-type': 'application/json',
      })
    ).status,
  )
  await call('GET', `/pay/${card()}`)
  return statuses
}

interface SignedIn {
  readonly headers: Record<string, string>
  readonly secrets: readonly Canary[]
}

const signIn = async (call: Call, { username, customerId }: Payer): Promise<SignedIn> => {
  const sent = (fields: Record<string, string>) => call('POST', '/token', form({ grant_type: 'password', ...PORTAL, ...fields }), FORM)
  expect((await sent({ username, password: WRONG_PASSWORD })).status).toBe(400)
  expect((await sent({ username: card(), password: card() })).status).toBe(400)
  const answer = await sent({ username, password: PASSWORD })
  expect(answer.status).toBe(200)
  const { access_token, refresh_token } = answer.json as { access_token: string; refresh_token: string }
  return {
    headers: { authorization: `Bearer ${access_token}`, 'x-customer-id': String(customerId) },
    secrets: [
      { name: 'an access token', text: access_token.split('.')[2] ?? '' },
      { name: 'a refresh token', text: refresh_token },
    ],
  }
}

/** A method stored, changed and paid with, one that must be confirmed at the bank; gives the client secrets that passed through. */
const payAsUser = async (
  call: Call,
  { links }: Payer,
  { headers }: SignedIn,
  cardOf: (number: string) => Promise<string>,
): Promise<Canary[]> => {
  const send = (method: string, path: string, body?: object) => call(method, path, body, headers)
  const setup = (await send('GET', '/v1/ec/payments/setup-intent')).json as { clientSecret: string }
  for (const body of [{ token: card() }, { token: 'pm_card_visa', cardNumber: card() }])
    expect((await send('POST', '/v1/ec/payments/cards', body)).status).toBe(400)
  const stored = (await send('POST', '/v1/ec/payments/cards', { token: 'pm_card_visa' })).json as { id: string }
  expect((await send('PUT', '/v1/ec/payments/cards', { id: stored.id, stripeCard: { name: grouped(card()) } })).status).toBe(400)
  const intent = (await send('POST', '/v1/ec/payments/intents', { invoiceIds: [links[1]?.id] })).json as { id: string; sessionId: string }
  for (const more of [
    { cardNumber: card(), cardCode: CODE },
    { cardToken: 'pm_card_visa', cardHolder: card() },
  ])
    expect((await send('POST', '/v1/ec/payments/pay/bulk', { sessionId: intent.sessionId, ...more })).status).toBe(400)
  const asks = await cardOf('4000002760003184')
  const body = { sessionId: intent.sessionId, cardToken: asks, cardHolder: 'Ada Payer', email: 'ada@example.com' }
  const { redirectToUrl } = (await send('POST', '/v1/ec/payments/pay/bulk', body)).json as { redirectToUrl: string }
  const back = await fetch(redirectToUrl, { method: 'POST', headers: FORM, body: 'outcome=complete', redirect: 'manual' })
  const query = new URL(back.headers.get('location') ?? '').searchParams
  const secret = query.get('payment_intent_client_secret') ?? ''
  const reported = { paymentIntent: query.get('payment_intent'), paymentIntentClientSecret: secret, reqUid: query.get('req_uid') }
  expect((await send('POST', '/v1/ec/payments/confirmation/result', reported)).json).toMatchObject({ status: 3 })
  expect((await send('POST', '/v1/ec/password', { oldPassword: PASSWORD, newPassword: NEW_PASSWORD })).status).toBeLessThan(300)
  const afterSecret = (text: string): string => text.split('_secret_')[1] ?? ''
  expect([afterSecret(setup.clientSecret).length, afterSecret(secret).length].every((length) => length > 8)).toBe(true)
  return [
    { name: "a setup's client secret", text: afterSecret(setup.clientSecret) },
    { name: "a payment's client secret", text: afterSecret(secret) },
  ]
}

/** Kills the server while the company has the order and has not answered, and while numbers of cards are on their way to it. */
const killInTheMiddle = async (server: Server, sandbox: Awaited<ReturnType<typeof testSandbox>>, { links }: Payer): Promise<void> => {
  const call = callsTo(server.address)
  await sandbox.fault({ operation: 'charge', kind: 'slow', ms: 10_000, booked: true })
  const paying = call('POST', '/v1/ec/pay', {
    uid: links[2]?.token,
    invoiceNumber: links[2]?.number,
    invoiceAmount: '110.00',
    cardToken: 'pm_card_visa',
    cardHolder: 'Ada Payer',
    email: 'ada@example.com',
  }).catch(() => 'cut')
  await expect.poll(async () => (await sandbox.ledger()).length, { timeout: 20_000 }).toBeGreaterThan(1)
  const raw = { uid: links[3]?.token, invoiceNumber: links[3]?.number, invoiceAmount: '110.00', cardNumber: card(), cardCode: CODE }
  const typing = Promise.all(Array.from({ length: 20 }, () => call('POST', '/v1/ec/pay', raw).catch(() => 'cut')))
  await setTimeout(20)
  await server.kill()
  await Promise.all([paying, typing])
}

/** All that PostgreSQL's own program writes of a database. */
const dumped = (databaseUrl: string): Buffer => {
  const given = inject('testDatabase')
  if (given.kind !== 'postgres') throw new Error('there is no server to dump from')
  const url = new URL(given.adminUrl)
  url.pathname = new URL(databaseUrl).pathname
  const folder = postgresBinaries()
  return execFileSync(folder === null ? 'pg_dump' : join(folder, 'pg_dump'), [`--dbname=${url.href}`], { maxBuffer: 1_000_000_000 })
}

test('[PAY-01] no card number, code or secret is left in logs, files, database, mails or after a crash in the middle of a payment', async () => {
  const [sandbox, mailbox] = [await testSandbox(), await startTestMailbox()]
  onTestFinished(async () => {
    await sandbox.close()
    await mailbox.close()
  })
  const temporary = await mkdtemp(join(tmpdir(), 'counterfoil-canary-'))
  onTestFinished(() => rm(temporary, { recursive: true, force: true }))
  const masterKey = randomBytes(32).toString('hex')
  const place = await serverPlace()
  const settings = serverSettings({
    ...place,
    MASTER_KEY: masterKey,
    TMPDIR: temporary,
    MAIL_URL: mailbox.url,
    PAYMENT_TIMEOUT_MS: '15000',
  })
  const payer = await addPayer(settings, sandbox.url)

  const first = await startServer(settings)
  const call = callsTo(first.address)
  const statuses = await misplaceCards(call, payer)
  expect(
    statuses.filter((status) => status < 400 || status >= 500),
    statuses.join(),
  ).toEqual([])
  const session = await signIn(call, payer)
  const cardOf = async (number: string): Promise<string> => {
    const typed = { type: 'card', 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': '2031', 'card[cvc]': '123' }
    const pageKey = 'pk_test_canarydesk_page'
    return String((await sandbox.stripe('/v1/payment_methods', { key: pageKey, ...typed }, pageKey))['id'])
  }
  const clientSecrets = await payAsUser(call, payer, session, cardOf)
  await expect.poll(() => mailbox.list().length, { timeout: 20_000 }).toBeGreaterThan(0)
  await killInTheMiddle(first, sandbox, payer)

  // The next one finds out what became of it, on the same data.
  const second = await startServer(settings)
  await callsTo(second.address)('GET', `/v1/ec/payment/details/${payer.links[2]?.token}`)
  await setTimeout(2_000)
  await second.kill()

  const canaries: readonly Canary[] = [
    ALL_CARDS,
    ...[`"cardCode":"${CODE}`, `"cvc":"${CODE}`, `cvc=${CODE}`, `cvc]=${CODE}`, `cvc%5D=${CODE}`, `"cvv":"${CODE}`].map((text) => ({
      name: "a card's code",
      text,
    })),
    { name: "the company's key", text: SECRET_KEY },
    { name: 'the secret of notices', text: WEBHOOK },
    { name: 'a password', text: PASSWORD },
    { name: 'a wrong password', text: WRONG_PASSWORD },
    { name: 'a new password', text: NEW_PASSWORD },
    { name: 'the master key', text: masterKey },
    ...session.secrets,
    ...clientSecrets,
  ]
  const said = Buffer.concat([first.said(), second.said()])
  const mails = Buffer.from(JSON.stringify(mailbox.list()))
  const [data, left] = [await foundInFolder(place['DATA_DIR'] ?? '', canaries), await foundInFolder(temporary, canaries)]
  const dump = place['DATABASE_URL'] === undefined ? Buffer.alloc(0) : dumped(place['DATABASE_URL'])
  const hits = [
    ...found('the log', said, canaries),
    ...found('the mails', mails, canaries),
    ...found('pg_dump', dump, canaries),
    ...data.hits,
    ...left.hits,
  ]
  expect(hits).toEqual([])
  // What was looked through is what there was.
  expect(said.toString()).toContain('a call to a payment company')
  expect(Math.max(data.bytes, dump.length)).toBeGreaterThan(100_000)
  const number = canaryCard(3)
  for (const form of [grouped(number), Buffer.from(`x${number}`).toString('base64'), [...number].toReversed().join('')])
    expect(found('itself', Buffer.from(form), canaries)).not.toEqual([])
}, 300_000)
