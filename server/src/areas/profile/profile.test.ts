import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { verifyAudit } from '../../audit/verify-audit.ts'
import { dispatchCommand } from '../../cli/program/dispatch.ts'
import { clientFor, PORTAL, postForm, problemBody, sessionOf, signInAs } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addPerson, addTenant, queryAsAdministrator, type TestPerson } from '../../../test/support/people.ts'

const URL_PATH = '/v1/ec/profile'
const CHOICES = { numberLocale: 'de-CH', receiptEmail: 'bills@example.com' }
const NOTHING = { numberLocale: null, receiptEmail: null }

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let person: TestPerson

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  tenant = await addTenant(context)
})
beforeEach(async () => {
  person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], {
    display_name: 'Ada Payer',
    email: 'ada@example.com',
  })
})
afterAll(() => context.close())

const signIn = async (who = person) => clientFor(app, await signInAs(app, who))

const supportClient = async () => {
  const lines: string[] = []
  const io = {
    json: false,
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
    openFile: () => Promise.reject(),
  }
  await dispatchCommand('support-link', context, io, [], { as: 'Sam Support', user: person.username })
  const code = new URL(lines[0] ?? '').pathname.slice('/la/'.length)
  const answer = await postForm(app, '/token', { grant_type: 'authorization_code', code, redirect_uri: 'http://localhost/la', ...PORTAL })
  return clientFor(app, sessionOf(answer))
}

const changes = () =>
  queryAsAdministrator(context, 'select actor_kind, detail from audit_entry where action = $1 and subject = $2', [
    'profile.changed',
    `user ${person.id}`,
  ])

test('[EASE-14] what a person chooses is stored, answered to this person alone, and taken back', async () => {
  const signed = await signIn()
  const who = { displayName: 'Ada Payer', username: person.username, email: 'ada@example.com' }
  expect((await signed.get(URL_PATH)).json()).toEqual({ ...who, ...NOTHING })
  const saved = await signed.put(URL_PATH, CHOICES)
  expect([saved.statusCode, saved.json()]).toEqual([200, { ...who, ...CHOICES }])
  expect((await signed.get('/v1/ec/me')).json()).toMatchObject(CHOICES)
  const other = await signIn(await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId]))
  expect((await other.get(URL_PATH)).json()).toMatchObject(NOTHING)
  expect((await signed.put(URL_PATH, NOTHING)).json()).toEqual({ ...who, ...NOTHING })
})

test('[EASE-14] each change stands in the sealed audit log, without what was chosen, and no change writes nothing', async () => {
  const signed = await signIn()
  for (const choices of [CHOICES, CHOICES, { ...CHOICES, numberLocale: 'en-AU' }]) await signed.put(URL_PATH, choices)
  expect(await changes()).toEqual([
    { actor_kind: 'user', detail: null },
    { actor_kind: 'user', detail: null },
  ])
  expect((await verifyAudit(context.store, context.keys)).faults).toEqual([])
})

test.each([
  ['a locale that nobody can choose', { ...CHOICES, numberLocale: 'tlh' }, 'body.numberLocale'],
  ['no email address', { ...CHOICES, receiptEmail: 'bills' }, 'body.receiptEmail'],
  ['an empty address', { ...CHOICES, receiptEmail: '' }, 'body.receiptEmail'],
  ['two lines', { ...CHOICES, receiptEmail: 'a@example.com\nb@example.com' }, 'body.receiptEmail'],
  ['a long address', { ...CHOICES, receiptEmail: `${'a'.repeat(250)}@example.com` }, 'body.receiptEmail'],
  ['a name', { ...CHOICES, displayName: 'Eve' }, 'body.displayName'],
  ['half of the choices', { numberLocale: 'en-AU' }, 'body.receiptEmail'],
])('[EASE-14] %s is refused, and the choices stay', async (_what, body, path) => {
  const signed = await signIn()
  await signed.put(URL_PATH, CHOICES)
  const answer = await signed.put(URL_PATH, body)
  expect([answer.statusCode, answer.json().errors[0]?.path]).toEqual([400, path])
  expect((await signed.get(URL_PATH)).json()).toMatchObject(CHOICES)
})

test('[EASE-14] a support session sees how numbers are written, not where receipts go, and changes nothing', async () => {
  await (await signIn()).put(URL_PATH, CHOICES)
  const support = await supportClient()
  for (const path of [URL_PATH, '/v1/ec/me'])
    expect((await support.get(path)).json()).toMatchObject({ numberLocale: 'de-CH', receiptEmail: null })
  const refused = await support.put(URL_PATH, NOTHING)
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    problemBody('forbidden_for_support', 'A support session cannot change the profile.'),
  ])
  expect((await (await signIn()).get(URL_PATH)).json()).toMatchObject(CHOICES)
})
