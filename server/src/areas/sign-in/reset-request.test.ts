import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { type Answer, sendRequest, comparableResponse, problemBody } from '../../../test/support/http-client.ts'
import { deliverMail, type TestMailbox, startTestMailbox } from '../../../test/support/mailbox.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addBrand, addTenant, addPerson, queryAsAdministrator } from '../../../test/support/people.ts'

const KNOWN = 'known@customer.net'

let mailbox: TestMailbox
let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let queued = 0

beforeAll(async () => {
  mailbox = await startTestMailbox()
  context = await testContext({ LIMITS: '', MAIL_URL: mailbox.url }) // the defaults are part of what this file is about
  app = await context.app({ onMailQueued: () => void (queued += 1) })
  tenant = await addTenant(context, { brand: { domain: 'portal.nimbus.net' } })
  await addPerson(context, tenant.resellerId, tenant.brandId, [], { email: KNOWN })
})
beforeEach(() => {
  context.advance(3_600_000) // every bucket is full again
  queued = 0
})
afterEach(async () => {
  vi.restoreAllMocks()
  mailbox.empty()
  await queryAsAdministrator(context, 'with requests as (delete from reset_request) delete from job')
})
afterAll(async () => {
  await context.close()
  await mailbox.close()
})

const request = (email: unknown, { address = '127.0.0.1', host = 'localhost:3000' } = {}): Promise<Answer> =>
  sendRequest(app, { method: 'POST', url: '/v1/ec/password-reset-request', payload: { email }, remoteAddress: address, headers: { host } })

const queuedRequests = (): Promise<{ email: string }[]> =>
  queryAsAdministrator(context, 'select email from reset_request order by asked_at')

/** The text of a statement, prepared by name or not. */
const statement = ([requested]: readonly unknown[]): string =>
  typeof requested === 'object' && requested !== null && 'text' in requested ? String(requested.text) : String(requested)

test('[AUTH-07] a known and an unknown address have one answer, and the same statements run for both', async () => {
  await request('warm-up@customer.net') // the host's brand is remembered from now on
  const heard = vi.spyOn(pg.Client.prototype, 'query')
  const known = await request(KNOWN)
  const forKnown = heard.mock.calls.splice(0).map(statement)
  const unknown = await request('unknown@customer.net')
  expect(heard.mock.calls.map(statement)).toEqual(forKnown)
  expect(forKnown.join('\n')).toContain('insert into reset_request')
  expect(forKnown.join('\n')).not.toContain('app_user')
  expect(comparableResponse(known)).toEqual(comparableResponse(unknown))
  expect([known.statusCode, known.body, queued]).toEqual([204, '', 3])
})

test('[AUTH-07] the address is looked up after the response, and the mail goes to the stored address', async () => {
  await request('Known@Customer.NET')
  await request('unknown@customer.net')
  expect(await queuedRequests()).toEqual([{ email: 'Known@Customer.NET' }, { email: 'unknown@customer.net' }])
  await deliverMail(context)
  expect(mailbox.list().map(({ to }) => to)).toEqual([KNOWN])
  expect(await queuedRequests()).toEqual([])
})

test('[AUTH-06] on a brand’s own host only its users get a mail, and the link never leads to a host that a request named', async () => {
  const other = await addBrand(context, tenant.resellerId, { domain: 'other.nimbus.net' })
  await addPerson(context, tenant.resellerId, other, [], { email: 'other@customer.net' })
  await request('other@customer.net', { host: 'portal.nimbus.net' })
  await deliverMail(context)
  expect(mailbox.list()).toEqual([])
  await request('other@customer.net', { host: 'attacker.net' })
  await deliverMail(context)
  expect(mailbox.list()).toHaveLength(1)
  expect(mailbox.list()[0]?.text).toContain('https://other.nimbus.net/reset-password/')
})

test('[AUTH-07] the fourth request for one address within the hour is answered like the others, and sends nothing', async () => {
  const answers: Answer[] = []
  for (let at = 1; at <= 4; at += 1) answers.push(await request(KNOWN.toUpperCase(), { address: `198.51.100.${at}` }))
  expect(new Set(answers.map((answer) => JSON.stringify(comparableResponse(answer)))).size).toBe(1)
  expect(await queuedRequests()).toHaveLength(3)
  context.advance(20 * 60_000)
  await request(KNOWN)
  expect(await queuedRequests()).toHaveLength(4)
})

test('[AUTH-07] one network address makes ten requests an hour and must then wait, whatever the email', async () => {
  for (let at = 1; at <= 10; at += 1) expect((await request(`somebody-${at}@customer.net`)).statusCode).toBe(204)
  for (const email of [KNOWN, 'unknown@customer.net']) {
    const refused = await request(email)
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      429,
      '360',
      problemBody('rate_limited', 'Too many attempts. Please try again in 6 minutes.'),
    ])
  }
  expect((await request(KNOWN, { address: '192.0.2.1' })).statusCode).toBe(204)
})

test.each(['', 'name', 'name@', '@example.com', 'name@example', 'na me@example.com', 'name@.com', `${'a'.repeat(250)}@a.net`])(
  '[AUTH-06] what is no email address is refused in words: %s',
  async (email) => {
    const answer = await request(email)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ errors: [{ path: 'body.email' }] })
    expect(await queuedRequests()).toEqual([])
  },
)

test('[AUTH-06] an address in any script is taken', async () => {
  expect((await request(' zoë.müller@bücher.example ')).statusCode).toBe(204)
  expect(await queuedRequests()).toEqual([{ email: 'zoë.müller@bücher.example' }])
})
