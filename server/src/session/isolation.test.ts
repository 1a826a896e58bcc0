import { randomBytes } from 'node:crypto'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import { type Endpoint, pathOf } from '@counterfoil/contract/kit/http/endpoint'
import type { FastifyInstance } from 'fastify'
import { decodeJwt } from 'jose'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deriveKeys } from '../kit/keys.ts'
import {
  type Answer,
  clientFor,
  sendRequest,
  comparableResponse,
  allEndpoints,
  PORTAL,
  postForm,
  signInAs,
  type TestSession,
  problemBody,
} from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { queryAsAdministrator, changePerson } from '../../test/support/people.ts'
import { exampleOf } from '../../test/support/example-requests.ts'
import { addTenants, resellerMarker, type Tenants, type TenantCustomer } from '../../test/support/tenants.ts'
import { type AccessClaims, issueAccessToken } from './tokens.ts'

const MISSING = 987_654_321
const authenticatedEndpoints = allEndpoints.filter(({ access }) => access !== 'public')
const endpoints = authenticatedEndpoints.map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint])

let context: TestContext
let tenants: Tenants
const session = {} as Record<keyof Tenants['people'], TestSession>

beforeAll(async () => {
  context = await testContext()
  tenants = await addTenants(context)
  const app = await context.app()
  for (const name of Object.keys(tenants.people) as (keyof Tenants['people'])[]) session[name] = await signInAs(app, tenants.people[name])
  await postForm(app, '/revoke', { token: session.loggedOut.refreshToken, ...PORTAL })
  await changePerson(context, tenants.ours.id, tenants.people.disabled.id, { disabled_at: context.clock() })
})
afterAll(() => context.close())

/** A call with everything right but who makes it and for whom. */
const send = (
  app: FastifyInstance,
  endpoint: Endpoint,
  token: string | null,
  header: string | string[] | null,
  owner = tenants.ours.first,
): Promise<Answer> => {
  const { params, query, body } = exampleOf(endpoint, owner)
  return sendRequest(app, {
    method: endpoint.method,
    url: `${pathOf(endpoint, params)}${query === undefined ? '' : `?${query}`}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(header === null ? {} : { [CUSTOMER_HEADER]: header }),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
}

/** Every customer header that a client might send, by what it means for the user `two`, who acts for our first and second customer. */
const headers = (): [string, string | string[] | null][] => {
  const { ours, rivals } = tenants
  return [
    ['own', String(ours.first.id)],
    ['own too', String(ours.second.id)],
    ['another of the same reseller', String(ours.dark.id)],
    ["a rival's", String(rivals.first.id)],
    ['missing', String(MISSING)],
    ['absent', null],
    ['twice', [String(ours.first.id), String(ours.first.id)]],
    ['two of them', [String(ours.first.id), String(rivals.first.id)]],
    ...['', '0', '-1', '1e3', '1.0', ' ', 'null', `${ours.first.id}; drop table customer`, `0${ours.first.id}`, '9'.repeat(40)].map(
      (text): [string, string] => [`"${text.slice(0, 12)}"`, text],
    ),
  ]
}

/** Marks of anybody but this customer and its own reseller. */
const foreignMarkers = (text: string, own: TenantCustomer | null): string[] =>
  [...text.matchAll(/CNRY-(\d+)-(\w+)?/g)]
    .filter(
      ([, reseller, customer]) => Number(reseller) !== own?.resellerId || (/^\d+$/.test(customer ?? '') && Number(customer) !== own.id),
    )
    .map(([mark]) => mark)

const expectNothingForeign = (answer: Answer, own: TenantCustomer | null): void => {
  const text = `${answer.rawPayload.toString('latin1')} ${JSON.stringify(answer.headers)}`
  expect(foreignMarkers(text, own)).toEqual([])
}

/** A part of a token, as its maker writes it. */
const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const asWas = (endpoint: Endpoint): number => exampleOf(endpoint, tenants.ours.first).status

describe.each([
  ['with every query asking for its own customer', { predicate: true }],
  ['with that question taken out of every query: row-level security alone', { predicate: false }],
])('%s', (_, scopes) => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await context.app({ scopes })
  })

  test.each(endpoints)('nobody who is not signed in gets anything out of %s, whatever customer is named', async (_, endpoint) => {
    const claims = decodeJwt<AccessClaims>(session.one.accessToken)
    const [head = '', body = '', signature = ''] = session.one.accessToken.split('.')
    const hourAgo = new Date(context.clock().getTime() - 3_600_000)
    const tokens: [string, string | null][] = [
      ['none', null],
      ['expired', await issueAccessToken(context.keys, claims, hourAgo)],
      ['of another server', await issueAccessToken(deriveKeys(randomBytes(32)), claims, context.clock())],
      ['claims changed', `${head}.${encodeJson({ ...claims, ResellerId: tenants.rivals.id })}.${signature}`],
      ['algorithm none', `${encodeJson({ alg: 'none', typ: 'at+jwt' })}.${body}.`],
      ['algorithm HS256', `${encodeJson({ alg: 'HS256', typ: 'at+jwt' })}.${body}.${signature}`],
      ['signature cut', `${head}.${body}.${signature.slice(0, -4)}`],
      [
        'a session that is none',
        await issueAccessToken(context.keys, { ...claims, sid: '00000000-0000-4000-8000-000000000000' }, context.clock()),
      ],
      ['logged out', session.loggedOut.accessToken],
      ['disabled', session.disabled.accessToken],
    ]
    // Every token and every header at every call; which meet differs from call to call, so that all pairs are tried over all calls.
    for (const [at, [, header]] of headers().entries()) {
      const [name, token] = tokens[(at + endpoints.findIndex(([, one]) => one === endpoint)) % tokens.length] as (typeof tokens)[number]
      const answer = await send(app, endpoint, token, header)
      expect([answer.statusCode, answer.json()], name).toEqual([401, problemBody('unauthenticated', 'Please sign in.')])
    }
  })

  test.each(endpoints.filter(([, { access }]) => access === 'customer'))('%s answers for own customers alone', async (_, endpoint) => {
    const { first, second } = tenants.ours
    const token = session.two.accessToken
    const missing = comparableResponse(await send(app, endpoint, token, String(MISSING)))
    for (const [name, header] of headers()) {
      const own = header === String(first.id) ? first : header === String(second.id) ? second : null
      const answer = await send(app, endpoint, token, header, own ?? first)
      expectNothingForeign(answer, own)
      if (own !== null) expect([name, answer.statusCode]).toEqual([name, asWas(endpoint)])
      else if (header === null) expect([name, answer.statusCode]).toEqual([name, 400])
      else expect(comparableResponse(answer), name).toEqual({ ...missing, statusCode: 403 })
    }
  })

  test.each(endpoints.filter(([, { access }]) => access === 'customer'))(
    '%s takes the only customer of a user when none is named',
    async (_, endpoint) => {
      const answer = await send(app, endpoint, session.one.accessToken, null)
      expect(answer.statusCode).toBe(asWas(endpoint))
      expectNothingForeign(answer, tenants.ours.first)
      expect((await send(app, endpoint, session.one.accessToken, String(tenants.ours.second.id))).statusCode).toBe(403)
    },
  )

  test.each(endpoints)('%s returns nothing of another customer', async (_, endpoint) => {
    const { first } = tenants.rivals
    const answer = await send(app, endpoint, session.rival.accessToken, endpoint.access === 'user' ? null : String(first.id), first)
    const isChart = endpoint.path.includes('jasper')
    expect(answer.statusCode).toBe(isChart ? 403 : asWas(endpoint))
    expectNothingForeign(answer, first)
  })

  test.each(endpoints.filter(([, { sections }]) => sections !== undefined))(
    '[NAV-02] %s is not found in a brand that does not show its section',
    async (_, endpoint) => {
      const { dark } = tenants.ours
      const answer = await send(app, endpoint, session.dark.accessToken, String(dark.id), dark)
      expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
    },
  )

  test.each(endpoints.filter(([, { sections }]) => sections === undefined))(
    '[NAV-08] %s is there whatever the brand shows',
    async (_, endpoint) => {
      const answer = await send(app, endpoint, session.dark.accessToken, null, tenants.ours.dark)
      expect(answer.statusCode).toBe(asWas(endpoint))
      expectNothingForeign(answer, tenants.ours.dark)
    },
  )

  test('[SESS-05] the list of customers needs no customer and ignores the one that is named', async () => {
    const expected = [tenants.ours.first, tenants.ours.second].map(({ id, marker }, at) => ({
      customerId: id,
      label: `${marker}label`,
      selected: at === 0,
      currency: 'AUD',
      currencySymbol: '$',
    }))
    for (const [name, header] of headers()) {
      const answer = await sendRequest(app, {
        url: '/v1/ec/me',
        headers: { authorization: `Bearer ${session.two.accessToken}`, ...(header === null ? {} : { [CUSTOMER_HEADER]: header }) },
      })
      expect([answer.statusCode, answer.json()], name).toEqual([200, { customers: expected, numberLocale: null, receiptEmail: null }])
    }
  })

  test("the paper of another customer's invoice is not found, exactly as one that does not exist", async () => {
    const signed = clientFor(app, session.one, tenants.ours.first.id)
    const missing = comparableResponse(await signed.get(`/v1/ec/invoices/${MISSING}`))
    expect(missing).toMatchObject({ statusCode: 404 })
    for (const { drawnInvoice, filedInvoice } of [tenants.ours.second, tenants.ours.dark, tenants.rivals.first]) {
      for (const id of [drawnInvoice, filedInvoice]) expect(comparableResponse(await signed.get(`/v1/ec/invoices/${id}`))).toEqual(missing)
    }
  })

  test("the payments of another customer's invoice are not found, nor its receipts, exactly as those that do not exist", async () => {
    const signed = clientFor(app, session.one, tenants.ours.first.id)
    const missing = comparableResponse(await signed.get(`/v1/ec/invoices/${MISSING}/payments`))
    const none = comparableResponse(await signed.get('/v1/ec/payments/receipts/ffffffff-ffff-4fff-8fff-ffffffffffff'))
    expect([missing, none]).toMatchObject([{ statusCode: 404 }, { statusCode: 404 }])
    for (const { drawnInvoice, payment } of [tenants.ours.second, tenants.ours.dark, tenants.rivals.first]) {
      expect(comparableResponse(await signed.get(`/v1/ec/invoices/${drawnInvoice}/payments`))).toEqual(missing)
      expect(comparableResponse(await signed.get(`/v1/ec/payments/receipts/${payment.paid}`))).toEqual(none)
    }
  })

  test.each([
    ['[INV-05] the drawn paper of an invoice', ({ drawnInvoice }: TenantCustomer) => `/v1/ec/invoices/${drawnInvoice}`],
    ['[PAY-01] the receipt of a payment', ({ payment }: TenantCustomer) => `/v1/ec/payments/receipts/${payment.paid}`],
  ])('%s speaks of its own customer alone', async (_, addressOf) => {
    const { first } = tenants.ours
    const answer = await clientFor(app, session.one, first.id).get(addressOf(first))
    const pdf = await getDocument({ data: new Uint8Array(answer.rawPayload), verbosity: 0 }).promise
    const pages = await Promise.all(Array.from({ length: pdf.numPages }, async (_, at) => (await pdf.getPage(at + 1)).getTextContent()))
    const words = pages.flatMap(({ items }) => items.flatMap((item) => ('str' in item ? [item.str] : []))).join(' ')
    expect(words).toContain(resellerMarker(tenants.ours.id))
    expect(words).toContain(first.marker)
    expect(foreignMarkers(words, first)).toEqual([])
  })
})

test('a stored membership of a customer of another reseller gives no access', async () => {
  const { people, rivals, ours } = tenants
  await queryAsAdministrator(context, 'insert into user_customer (user_id, customer_id) values ($1, $2)', [people.one.id, rivals.second.id])
  context.advance(1_000)
  const app = await context.app()
  const foreign = await clientFor(app, session.one, rivals.second.id).get('/v1/ec/invoices')
  expect(comparableResponse(foreign)).toEqual(comparableResponse(await clientFor(app, session.one, MISSING).get('/v1/ec/invoices')))
  const me = await clientFor(app, session.one).get('/v1/ec/me')
  expect(me.json().customers.map(({ customerId }: { customerId: number }) => customerId)).toEqual([ours.first.id])
})

test('a membership that is taken away closes the customer within a second', async () => {
  const { people, ours } = tenants
  const app = await context.app()
  const signed = clientFor(app, session.two, ours.second.id)
  expect((await signed.get('/v1/ec/invoices')).statusCode).toBe(200)
  await queryAsAdministrator(context, 'delete from user_customer where user_id = $1 and customer_id = $2', [people.two.id, ours.second.id])
  context.advance(1_000)
  expect((await signed.get('/v1/ec/invoices')).statusCode).toBe(403)
})
