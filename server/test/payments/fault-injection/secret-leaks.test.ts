import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { postgresBinaries } from '../../databases/postgres-binaries.ts'
import { PORTAL } from '../../support/http-client.ts'
import { startTestMailbox } from '../../support/mailbox.ts'
import { addTenant, addInvoice, listPaymentLinks, PASSWORD } from '../../support/people.ts'
import { testSandbox } from '../sandbox.ts'
import { saveAccount } from '../../../src/payments/accounts/accounts.ts'
import { CARD_PREFIX_SECRET, type MarkedSecret, markedCard, findInBytes, findInFolder } from './secret-scan.ts'
import { withContext, serverSettings, type ServerSettings } from '../killed-servers/killed-servers.ts'
import { createServerLocation } from '../killed-servers/server-location.queries.ts'

const SERVER = fileURLToPath(new URL('../../../src/counterfoil.ts', import.meta.url))
/** Security codes are short digits that occur anywhere, so they are searched beside their field names. */
const CODE = '7391'

const SECRET_KEY = 'sk_test_canarydesk_Zq81kVb0'
const WEBHOOK = 'whsec_canaryWh5tR7uQ2x'
const WRONG_PASSWORD = 'Canary-wrong-Kp3vT9'
const NEW_PASSWORD = 'Canary-newer-Xw6mB2-harbour'

interface Server {
  readonly address: string
  readonly output: () => Buffer
  kill(): Promise<void>
}

/** A server process whose whole log is collected at debug level. */
const startServer = async (settings: ServerSettings): Promise<Server> => {
  const child: ChildProcess = spawn(process.execPath, [SERVER, 'serve'], {
    env: { ...process.env, ...settings, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: Buffer[] = []
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${Buffer.concat(parts).toString()}`)))
    const collect = (part: Buffer): void => {
      parts.push(part)
      const announced = /"address":"([^"]+)"/.exec(part.toString())?.[1]
      if (announced !== undefined) resolve(announced)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
  })
  return {
    address,
    output: () => Buffer.concat(parts),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

interface TestPayer {
  readonly resellerId: number
  readonly customerId: number
  readonly username: string
  readonly links: readonly { token: string; number: string; id: number }[]
}

const addPayer = (settings: ServerSettings, sandboxUrl: string): Promise<TestPayer> =>
  withContext(settings, async (context) => {
    const family = await addTenant(context, {
      reseller: { payment_type: 1, payments_enabled: true, payments_bulk: true, payment_email_receipt: true },
    })
    const { resellerId, customerId, person } = family
    const account = { secretKey: SECRET_KEY, webhookSecrets: [WEBHOOK] }
    await saveAccount(context, { resellerId, provider: 'stripe', baseUrl: `${sandboxUrl}/stripe`, settings: account })
    for (let at = 0; at < 6; at += 1) await addInvoice(context, resellerId, customerId)
    return { resellerId, customerId, username: person.username, links: await listPaymentLinks(context) }
  })

type Client = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Record<string, string>,
) => Promise<{ status: number; json: never }>

const clientOf =
  (address: string): Client =>
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

let cardCount = 0
/** A card number used nowhere else. */
const nextCard = (): string => markedCard((cardCount += 1))
const groupDigits = (number: string): string => (number.match(/.{4}/g) ?? []).join(' ')

/** Sends card numbers in every wrong place; returns the statuses. */
const sendMisplacedCards = async (call: Client, { links, resellerId }: TestPayer): Promise<number[]> => {
  const [link] = links
  const good = {
    uid: link?.token,
    invoiceNumber: link?.number,
    invoiceAmount: '110.00',
    cardToken: 'pm_card_visa',
    cardHolder: 'Ada Payer',
  }
  const bodies: (object | string)[] = [
    { ...good, cardHolder: nextCard() },
    { ...good, cardHolder: `Ada ${groupDigits(nextCard())}` },
    { ...good, cardNumber: nextCard(), expirationDate: '12 / 31', cardCode: CODE },
    { ...good, cardNumber: groupDigits(nextCard()), cvc: CODE },
    { ...good, cardToken: nextCard() },
    { ...good, email: `${nextCard()}@example.com` },
    { ...good, billingAddress: { address: nextCard() } },
    { ...good, billingAddress: { zip: groupDigits(nextCard()) } },
    { ...good, invoiceNumber: nextCard() },
    { ...good, invoiceAmount: nextCard() },
    { ...good, uid: nextCard() },
    { ...good, pan: nextCard(), cvv: CODE },
    { ...good, nexioCustomerDetails: { payerFirstName: nextCard(), card: nextCard() } },
  ]
  const statuses: number[] = []
  for (const body of bodies) statuses.push((await call('POST', '/v1/ec/pay', body)).status)
  statuses.push(
    (await call('POST', '/v1/ec/pay', `{"cardNumber":"${nextCard()}","cardCode":"${CODE}"`, { 'content-type': 'application/json' })).status,
  )
  statuses.push((await call('GET', `/v1/ec/payment/details/${nextCard()}`)).status)
  await call('GET', `/nothing/${nextCard()}?cardNumber=${nextCard()}&cvc=${CODE}`, undefined, { 'user-agent': nextCard() })
  const webhook = `{"id":"evt_1","object":"event","data":{"object":{"number":"${nextCard()}"}}}`
  statuses.push(
    (
      await call('POST', `/hooks/stripe/${resellerId}`, webhook, {
        'stripe-signature': `t=1,v1=${nextCard()}`,
        'content-type': 'application/json',
      })
    ).status,
  )
  await call('GET', `/pay/${nextCard()}`)
  return statuses
}

interface Session {
  readonly headers: Record<string, string>
  readonly secrets: readonly MarkedSecret[]
}

const signIn = async (call: Client, { username, customerId }: TestPayer): Promise<Session> => {
  const requestToken = (fields: Record<string, string>) =>
    call('POST', '/token', form({ grant_type: 'password', ...PORTAL, ...fields }), FORM)
  expect((await requestToken({ username, password: WRONG_PASSWORD })).status).toBe(400)
  expect((await requestToken({ username: nextCard(), password: nextCard() })).status).toBe(400)
  const answer = await requestToken({ username, password: PASSWORD })
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

/** Stores, changes and pays with methods, one with confirmation at the bank; returns the client secrets. */
const payAsUser = async (
  call: Client,
  { links }: TestPayer,
  { headers }: Session,
  cardOf: (number: string) => Promise<string>,
): Promise<MarkedSecret[]> => {
  const send = (method: string, path: string, body?: object) => call(method, path, body, headers)
  const setup = (await send('GET', '/v1/ec/payments/setup-intent')).json as { clientSecret: string }
  for (const body of [{ token: nextCard() }, { token: 'pm_card_visa', cardNumber: nextCard() }])
    expect((await send('POST', '/v1/ec/payments/cards', body)).status).toBe(400)
  const stored = (await send('POST', '/v1/ec/payments/cards', { token: 'pm_card_visa' })).json as { id: string }
  expect((await send('PUT', '/v1/ec/payments/cards', { id: stored.id, stripeCard: { name: groupDigits(nextCard()) } })).status).toBe(400)
  const intent = (await send('POST', '/v1/ec/payments/intents', { invoiceIds: [links[1]?.id] })).json as { id: string; sessionId: string }
  for (const more of [
    { cardNumber: nextCard(), cardCode: CODE },
    { cardToken: 'pm_card_visa', cardHolder: nextCard() },
  ])
    expect((await send('POST', '/v1/ec/payments/pay/bulk', { sessionId: intent.sessionId, ...more })).status).toBe(400)
  const challengedCard = await cardOf('4000002760003184')
  const body = { sessionId: intent.sessionId, cardToken: challengedCard, cardHolder: 'Ada Payer', email: 'ada@example.com' }
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

/** Kills the server while the provider has the charge and has not answered, and while card numbers are being sent. */
const killInTheMiddle = async (server: Server, sandbox: Awaited<ReturnType<typeof testSandbox>>, { links }: TestPayer): Promise<void> => {
  const call = clientOf(server.address)
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
  const raw = { uid: links[3]?.token, invoiceNumber: links[3]?.number, invoiceAmount: '110.00', cardNumber: nextCard(), cardCode: CODE }
  const before = server.output().length
  const typing = Promise.all(Array.from({ length: 20 }, () => call('POST', '/v1/ec/pay', raw).catch(() => 'cut')))
  await expect.poll(() => server.output().length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(before)
  await server.kill()
  await Promise.all([paying, typing])
}

/** The output of pg_dump. */
const dumpDatabase = (databaseUrl: string): Buffer => {
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
  const temporary = await mkdtemp(join(tmpdir(), 'counterfoil-secrets-'))
  onTestFinished(() => rm(temporary, { recursive: true, force: true }))
  const masterKey = randomBytes(32).toString('hex')
  const location = await createServerLocation()
  const settings = serverSettings({
    ...location,
    MASTER_KEY: masterKey,
    TMPDIR: temporary,
    MAIL_URL: mailbox.url,
    PAYMENT_TIMEOUT_MS: '15000',
  })
  const payer = await addPayer(settings, sandbox.url)

  const first = await startServer(settings)
  const call = clientOf(first.address)
  const statuses = await sendMisplacedCards(call, payer)
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
  const paymentSecrets = await payAsUser(call, payer, session, cardOf)
  await expect.poll(() => mailbox.list().length, { timeout: 20_000 }).toBeGreaterThan(0)
  await killInTheMiddle(first, sandbox, payer)

  // The next server shows the payment that was cut, on the same data.
  const second = await startServer(settings)
  await clientOf(second.address)('GET', `/v1/ec/payment/details/${payer.links[2]?.token}`)
  await second.kill()

  const secrets: readonly MarkedSecret[] = [
    CARD_PREFIX_SECRET,
    ...[`"cardCode":"${CODE}`, `"cvc":"${CODE}`, `cvc=${CODE}`, `cvc]=${CODE}`, `cvc%5D=${CODE}`, `"cvv":"${CODE}`].map((text) => ({
      name: "a card's code",
      text,
    })),
    { name: "the provider's key", text: SECRET_KEY },
    { name: 'the secret of webhooks', text: WEBHOOK },
    { name: 'a password', text: PASSWORD },
    { name: 'a wrong password', text: WRONG_PASSWORD },
    { name: 'a new password', text: NEW_PASSWORD },
    { name: 'the master key', text: masterKey },
    ...payer.links.map(({ token }) => ({ name: 'the token of a payment link', text: token })),
    ...session.secrets,
    ...paymentSecrets,
  ]
  const output = Buffer.concat([first.output(), second.output()])
  const mails = Buffer.from(JSON.stringify(mailbox.list()))
  const [data, left] = [await findInFolder(location['DATA_DIR'] ?? '', secrets), await findInFolder(temporary, secrets)]
  const dump = location['DATABASE_URL'] === undefined ? Buffer.alloc(0) : dumpDatabase(location['DATABASE_URL'])
  const hits = [
    ...findInBytes('the log', output, secrets),
    ...findInBytes('the mails', mails, secrets),
    ...findInBytes('pg_dump', dump, secrets),
    ...data.hits,
    ...left.hits,
  ]
  expect(hits).toEqual([])
  // The search covered real data.
  expect(output.toString()).toContain('a call to a payment provider')
  expect(Math.max(data.bytes, dump.length)).toBeGreaterThan(100_000)
  const number = markedCard(3)
  for (const form of [groupDigits(number), Buffer.from(`x${number}`).toString('base64'), [...number].toReversed().join('')])
    expect(findInBytes('itself', Buffer.from(form), secrets)).not.toEqual([])
}, 300_000)
