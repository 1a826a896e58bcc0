import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { linkToken } from '../../session/one-time-links.ts'
import { storeLink } from '../../session/one-time-links.queries.ts'
import { linkSecretHash } from '../../session/one-time-links.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'
import { addMs } from '../../kit/clock.ts'
import { type Answer, sendRequest, comparableResponse, trySignIn, problemBody } from '../../../test/support/http-client.ts'
import { deliverMail, type TestMailbox, startTestMailbox, tokenIn } from '../../../test/support/mailbox.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addBrand, addCustomer, addTenant, queryAsAdministrator, changePerson, PASSWORD } from '../../../test/support/people.ts'
import { inviteUser, type Invitation } from './invite-user.service.ts'

const GOOD = 'Quarry-Otter-29-lantern!'
const OVER = problemBody('link_expired', 'Your registration session has expired. Please try again.')
const LIMITS = ['user', 'anonymous', 'address', 'network', 'link', 'account'].map((name) => `${name}=100000/1s`).join(' ')
const DAY = 86_400_000

let mailbox: TestMailbox
let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let people = 0
let username: string

beforeAll(async () => {
  mailbox = await startTestMailbox()
  context = await testContext({ LIMITS, MAIL_URL: mailbox.url })
  app = await context.app()
  tenant = await addTenant(context, { brand: { name: 'Harbour', colour2: '#0a6b3d' }, reseller: { legal_name: 'Harbour Ltd' } })
})
beforeEach(() => {
  people += 1
  username = `invited-${people}`
  mailbox.empty()
})
afterAll(async () => {
  await context.close()
  await mailbox.close()
})

const invite = (more: Partial<Invitation> = {}): Promise<{ userId: string; isNew: boolean }> =>
  inviteUser(context, {
    resellerId: tenant.resellerId,
    brandId: tenant.brandId,
    username,
    email: `${username}@customer.net`,
    displayName: 'Ada Invited',
    customerIds: [tenant.customerId],
    operator: 'root',
    ...more,
  })

const inviteAndReadToken = async (more: Partial<Invitation> = {}): Promise<string> => {
  mailbox.empty()
  await invite(more)
  await deliverMail(context)
  return tokenIn(mailbox.list().find(({ to }) => to === (more.email ?? `${username}@customer.net`)))
}

const register = (token: string, password = GOOD, at: FastifyInstance = app, headers = {}): Promise<Answer> =>
  sendRequest(at, { method: 'POST', url: '/v1/ec/user-registration', payload: { token, password }, headers })

const expectOver = (answer: Answer): void => expect([answer.statusCode, answer.json()]).toEqual([400, OVER])

const signsIn = async (password: string, name = username): Promise<boolean> =>
  (await trySignIn(app, { username: name, password })).statusCode === 200

test('[REG-01][RST-01] the page of a link says for whom it is: username, reseller and brand, until the link is used', async () => {
  const token = await inviteAndReadToken()
  const ask = (fields: object, host = 'localhost:3000') =>
    app.inject({ method: 'POST', url: '/v1/ec/password-link', payload: { token, purpose: 'registration', ...fields }, headers: { host } })
  const owner = { username, resellerName: 'Harbour Ltd', brandId: tenant.brandId }
  for (const host of ['localhost:3000', 'another.host']) expect((await ask({}, host)).json()).toEqual(owner)
  await addBrand(context, tenant.resellerId, { domain: `other-${people}.example` })
  for (const answer of [
    await ask({ purpose: 'reset' }),
    await ask({ token: token.slice(0, -1) }),
    await ask({}, `other-${people}.example`),
  ])
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ code: 'link_expired' })])
  await app.inject({ method: 'POST', url: '/v1/ec/user-registration', payload: { token, password: GOOD }, headers: { host: 'localhost' } })
  expect((await ask({})).statusCode).toBe(400)
})

test('[REG-01] who looks at the page of a link again and again can still use it', async () => {
  const own = await testContext({ LIMITS: LIMITS.replace('link=100000/1s', 'link=2/1h'), MAIL_URL: mailbox.url })
  try {
    const [served, there] = [await own.app(), await addTenant(own)]
    const ids = { resellerId: there.resellerId, brandId: there.brandId, customerIds: [there.customerId] }
    await inviteUser(own, { ...ids, username: 'curious', email: 'curious@customer.net', displayName: 'Ada', operator: 'root' })
    await deliverMail(own)
    const token = tokenIn(mailbox.list()[0])
    const look = { method: 'POST', url: '/v1/ec/password-link', payload: { token, purpose: 'registration' } } as const
    for (let looked = 0; looked < 4; looked += 1) expect((await served.inject(look)).statusCode).toBe(200)
    expect((await register(token, GOOD, served)).statusCode).toBe(204)
  } finally {
    await own.close()
  }
})

test('[REG-01] the mail of an invitation is in the brand’s words and colours, and its link finishes the registration, once', async () => {
  const token = await inviteAndReadToken()
  const [mail] = mailbox.list()
  expect(mail).toMatchObject({ to: `${username}@customer.net`, subject: 'Finish your registration with Harbour' })
  expect(mail?.text).toContain('Harbour Ltd has opened its billing portal to you.')
  expect(mail?.text).toContain(`Your username there is ${username}.`)
  expect(mail?.html).toContain('#0a6b3d')
  expect(mail?.html).toContain(`/finish-registration/${token}`)
  expect(await signsIn(GOOD)).toBe(false)

  const answer = await register(token)
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(await signsIn(GOOD)).toBe(true)
  expectOver(await register(token, 'Another-Walrus-44-candle!'))
  expect(await signsIn(GOOD)).toBe(true)
})

test('[REG-01] a mail reports that a password was chosen, without the password', async () => {
  const token = await inviteAndReadToken()
  await register(token)
  mailbox.empty()
  await deliverMail(context)
  expect(mailbox.list()).toMatchObject([{ to: `${username}@customer.net`, subject: 'Your registration with Harbour is complete' }])
  for (const text of [mailbox.list()[0]?.text, mailbox.list()[0]?.html]) expect(text).not.toContain(GOOD)
})

test.each([
  ['Short1!', 'Password shorter than 8 characters.'],
  ['short', 'Password shorter than 8 characters.'],
  ['lower-only-1!', "Password don't include at least one uppercase letter."],
  ['lower-only', "Password don't include at least one uppercase letter."],
  ['UPPER-ONLY-1!', "Password don't include at least one lowercase letter."],
  ['No-Numbers-Here!', "Password don't include at least one number."],
  ['NoSpecials123', "Password don't include at least one special character."],
  ['No-Hyphen-Counts-1', "Password don't include at least one special character."],
  ['Password1!', 'This password is too easy to guess. It is close to a common password. Add another word or two.'],
])('[REG-01] the password %s is refused beside its field, and the link stays good', async (password, message) => {
  const token = await inviteAndReadToken()
  const answer = await register(token, password)
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    problemBody('invalid_input', message, { errors: [{ path: 'body.password', message }] }),
  ])
  expect((await register(token, `${GOOD}!`)).statusCode).toBe(204)
})

test('[REG-01] of a hundred redemptions at once, at two servers, exactly one succeeds', async () => {
  const servers = [app, await context.app()]
  const token = await inviteAndReadToken()
  const passwords = Array.from({ length: 100 }, (_, at) => `${GOOD}!${at}`)
  const answers = await Promise.all(passwords.map((password, at) => register(token, password, servers[at % 2])))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, ...Array<number>(99).fill(400)])
  for (const answer of answers.filter(({ statusCode }) => statusCode === 400)) expect(answer.json()).toEqual(OVER)
  const chosen = passwords[answers.findIndex(({ statusCode }) => statusCode === 204)] ?? ''
  expect(await signsIn(chosen)).toBe(true)
})

test('[REG-01] a link works for seven days', async () => {
  const own = await testContext({ LIMITS, MAIL_URL: mailbox.url })
  try {
    const served = await own.app()
    const there = await addTenant(own)
    const ids = { resellerId: there.resellerId, brandId: there.brandId, customerIds: [there.customerId] }
    const tokens: string[] = []
    for (const name of ['early', 'late']) {
      mailbox.empty()
      await inviteUser(own, { ...ids, username: name, email: `${name}@customer.net`, displayName: name, operator: 'root' })
      await deliverMail(own)
      tokens.push(tokenIn(mailbox.list()[0]))
    }
    own.advance(7 * DAY - 1)
    expect((await register(tokens[0] ?? '', `${GOOD}!`, served)).statusCode).toBe(204)
    own.advance(1)
    expectOver(await register(tokens[1] ?? '', `${GOOD}!`, served))
  } finally {
    await own.close()
  }
})

test('[REG-01] no link registers an active user again', async () => {
  const { person } = tenant
  const id = '0b7ad0f2-8d30-4a0f-9c51-0a1b2c3d4e5f'
  const link = { id, kind: 'registration', userId: person.id, secretHash: linkSecretHash(context.keys, id) } as const
  await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    storeLink(db, { ...link, expiresAt: addMs(context.clock(), DAY) }, context.clock()),
  )
  expectOver(await register(linkToken(context.keys, id), `${GOOD}!`))
  expect(await signsIn(PASSWORD, person.username)).toBe(true)
  await expect(invite({ username: person.username })).rejects.toThrow('has registered already')
})

test('[REG-01] an unknown link, one of another kind, of another brand and of a disabled user get the same response', async () => {
  const domain = `harbour-${people}.test`
  await addBrand(context, tenant.resellerId, { domain })
  const [elsewhere, off] = [await inviteAndReadToken(), await inviteAndReadToken({ username: `off-${people}`, email: 'off@customer.net' })]
  const [{ id } = { id: '' }] = await queryAsAdministrator<{ id: string }>(context, 'select id::text from app_user where username = $1', [
    `off-${people}`,
  ])
  await changePerson(context, tenant.resellerId, id, { disabled_at: context.clock() })
  const answers = [
    await register('nobody-was-given-this'),
    await register('A'.repeat(65)),
    await register(elsewhere, GOOD, app, { host: domain }),
    await register(off, GOOD),
    await sendRequest(app, { method: 'POST', url: '/v1/ec/user-registration', payload: { token: 'x', password: GOOD } }),
  ]
  for (const answer of answers) {
    expectOver(answer)
    expect(comparableResponse(answer)).toEqual(comparableResponse(answers[0] as Answer))
  }
  expect((await register(elsewhere, GOOD)).statusCode).toBe(204)
})

test('[REG-01] the link of a registration resets no password, and that of a reset finishes no registration', async () => {
  const token = await inviteAndReadToken()
  const reset = await sendRequest(app, { method: 'POST', url: '/v1/ec/password-reset', payload: { token, password: GOOD } })
  expect(reset.json()).toMatchObject({ message: 'Your change password session has expired. Please try again.' })
  expect((await register(token, `${GOOD}!`)).statusCode).toBe(204)
})

test('[REG-01] a second invitation sends another link and invalidates the first, also one not yet sent', async () => {
  const first = await inviteAndReadToken()
  const second = await inviteAndReadToken({ email: `${username}@right.net`, displayName: 'Ada Right' })
  expectOver(await register(first, `${GOOD}!`))
  mailbox.empty()
  await invite({ email: 'typo@wrong.net' })
  await invite()
  await deliverMail(context)
  expect(mailbox.list().map(({ to }) => to)).toEqual([`${username}@customer.net`])
  expectOver(await register(second, `${GOOD}!`))
  expect((await register(tokenIn(mailbox.list()[0]), `${GOOD}!`)).statusCode).toBe(204)
})

test('[REG-01] a mail server that is down delays the invitation, and the seven days begin when the mail is sent', async () => {
  const own = await testContext({ LIMITS, MAIL_URL: 'smtp://127.0.0.1:1' })
  const late = await startTestMailbox()
  try {
    const served = await own.app()
    const there = await addTenant(own)
    const ids = { resellerId: there.resellerId, brandId: there.brandId, customerIds: [there.customerId] }
    await inviteUser(own, { ...ids, username: 'patient', email: 'patient@customer.net', displayName: 'Pat', operator: 'root' })
    await deliverMail(own)
    own.advance(6 * DAY)
    await deliverMail({ ...own, config: { ...own.config, mailUrl: late.url } })
    own.advance(6 * DAY)
    expect((await register(tokenIn(late.list()[0]), `${GOOD}!`, served)).statusCode).toBe(204)
  } finally {
    await late.close()
    await own.close()
  }
})

test.each([
  [{ username: 'two words' }, 'A username has'],
  [{ email: 'nobody' }, 'An email address looks like'],
  [{ email: 'a@b.net\r\nBcc: all@b.net' }, 'An email address looks like'],
  [{ displayName: ' ' }, 'The name of a person'],
  [{ customerIds: [987_654] }, 'no customer with the id 987654'],
  [{ brandId: 987_654 }, 'no brand with the id 987654'],
] as [Partial<Invitation>, string][])(
  '[REG-01] an invitation of %j is refused in words, and leaves nothing behind',
  async (wrong, words) => {
    await expect(invite(wrong)).rejects.toThrow(words)
    const left = await queryAsAdministrator(context, 'select from app_user where lower(username) = $1', [wrong.username ?? username])
    expect(left).toEqual([])
  },
)

test('[REG-01] a username of another reseller is taken; the people of other resellers are not touched', async () => {
  const rival = await addTenant(context)
  await expect(invite({ username: rival.person.username })).rejects.toThrow('is taken')
  const customerId = await addCustomer(context, rival.resellerId, rival.brandId)
  await expect(invite({ customerIds: [customerId] })).rejects.toThrow(`no customer with the id ${customerId}`)
})

test('[REG-01] the audit log has the invitation with the operator and the registration with the address', async () => {
  const token = await inviteAndReadToken({ operator: 'maria' })
  await register(token, `${GOOD}!`)
  const rows = await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    db.selectFrom('audit_entry').selectAll().orderBy('seq', 'desc').limit(2).execute(),
  )
  const [{ id } = { id: '' }] = await queryAsAdministrator<{ id: string }>(context, 'select id::text from app_user where username = $1', [
    username,
  ])
  expect(rows).toMatchObject([
    { action: 'user.registered', actor_kind: 'user', actor_id: id, subject: `user ${id}`, source: '127.0.0.1' },
    { action: 'user.invited', actor_kind: 'operator', actor_name: 'maria', subject: `user ${id}`, source: 'command line' },
  ])
  expect((await verifyAudit(context.store, context.keys)).faults).toEqual([])
})

test('[REG-01] one address finishes twenty registrations a minute, good or bad', async () => {
  const own = await testContext({ LIMITS: 'anonymous=100000/1s' })
  try {
    const served = await own.app()
    for (let at = 0; at < 20; at += 1) expectOver(await register('A'.repeat(65), `${GOOD}!`, served))
    const refused = await register('A'.repeat(65), `${GOOD}!`, served)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3'])
  } finally {
    await own.close()
  }
})
