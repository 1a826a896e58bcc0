import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, sendRequest, PORTAL, postForm, signInAs, type TestSession, problemBody } from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addTenant } from '../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let session: TestSession
let customerId: number

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  const tenant = await addTenant(context)
  customerId = tenant.customerId
  session = await signInAs(app, tenant.person)
})
afterAll(() => context.close())

const PATH = '/v1/ec/password'
const raw = (payload: string | Buffer, type: string | null = 'application/json') =>
  sendRequest(app, {
    method: 'POST',
    url: PATH,
    payload,
    headers: { authorization: `Bearer ${session.accessToken}`, ...(type === null ? {} : { 'content-type': type }) },
  })

const nestedBody = (depth: number): string => `{"oldPassword":${'['.repeat(depth)}${']'.repeat(depth)},"newPassword":"x"}`

test.each<[string, string, string]>([
  ['is cut short', '{"oldPassword": "a", "newPass', 'The request is not valid JSON.'],
  ['is empty', '', 'The request has no body.'],
  ['is a word', 'undefined', 'The request is not valid JSON.'],
  ['is a list', '[]', 'body must be object.'],
  ['is null', 'null', 'body must be object.'],
  ['is a number', '1e999', 'body must be object.'],
  ['has a field too many', '{"oldPassword":"a","newPassword":"b","isAdmin":true}', 'body.isAdmin is not a field of this call.'],
  ['has a number for a text', '{"oldPassword":1,"newPassword":"b"}', 'body.oldPassword must be string.'],
  ['has null for a text', '{"oldPassword":null,"newPassword":"b"}', 'body.oldPassword must be string.'],
  ['reaches for the prototype', '{"__proto__":{"x":1},"oldPassword":"a","newPassword":"b"}', 'The request is not valid JSON.'],
  ['reaches for the constructor', '{"constructor":{"prototype":{}},"oldPassword":"a","newPassword":"b"}', 'The request is not valid JSON.'],
  ['is nested twenty-five deep', nestedBody(25), 'The request is nested too deeply.'],
  ['is nested ten thousand deep', nestedBody(10_000), 'The request is nested too deeply.'],
])('a body that %s is refused in words', async (_, payload, words) => {
  const answer = await raw(payload)
  expect([answer.statusCode, answer.json().message]).toEqual([400, words])
})

test('the same field twice counts once, as JSON reads it, and is checked like any other', async () => {
  expect((await raw('{"oldPassword":"a","oldPassword":7,"newPassword":"b"}')).json().message).toBe('body.oldPassword must be string.')
})

test('a body of 64 KiB is read, and one of a byte more is not', async () => {
  const frame = JSON.stringify({ oldPassword: '', newPassword: 'x' }).length
  const sized = (bytes: number) => JSON.stringify({ oldPassword: 'a'.repeat(bytes - frame), newPassword: 'x' })
  expect((await raw(sized(65_536))).statusCode).toBe(400)
  const answer = await raw(sized(65_537))
  expect([answer.statusCode, answer.json()]).toEqual([413, problemBody('request_too_large', 'The request is too large.')])
})

test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml', null])(
  'a body of the type %s is refused where JSON belongs',
  async (type) => {
    const payload = type?.includes('urlencoded') === true ? 'oldPassword=a&newPassword=b' : '{"oldPassword":"a","newPassword":"b"}'
    const answer = await raw(payload, type)
    expect([answer.statusCode, answer.json()]).toEqual([
      415,
      problemBody('unsupported_media_type', 'The request has a content type that this call does not take.'),
    ])
  },
)

test('JSON with a character set, in any case, is JSON', async () => {
  const answer = await raw('{"oldPassword":"a","newPassword":"b"}', 'Application/JSON; charset=UTF-8')
  expect(answer.json().errors).toEqual([{ path: 'body.newPassword', message: 'The new password needs at least 6 characters.' }])
})

test('bytes that are no UTF-8 and surrogates without their partner do no harm', async () => {
  const bytes = Buffer.concat([Buffer.from('{"oldPassword":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('","newPassword":"b"}')])
  for (const payload of [bytes, '{"oldPassword":"\\ud800","newPassword":"\\udfff"}']) expect((await raw(payload)).statusCode).toBe(400)
  const answer = await postForm(app, '/token', { grant_type: 'password', username: '\ud800', password: '\udfff', ...PORTAL })
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant'])
})

test('any JSON gets a refusal with a message and never a 500', async () => {
  const anything = fc.oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ oldPassword: value, newPassword: value })),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (payload) => {
      const { statusCode } = await raw(payload)
      expect([400, 413]).toContain(statusCode)
    }),
    { numRuns: 150, seed: 1 },
  )
})

test('any address gets a response, and never a 500', async () => {
  const segment = fc.oneof(fc.webSegment(), fc.string().map(encodeURIComponentSafely), fc.integer().map(String), fc.double().map(String))
  await fc.assert(
    fc.asyncProperty(
      segment,
      fc.constantFrom('/v1/ec/invoices/', '/v1/brands-settings/', '/brand-images/1/', '/'),
      async (part, before) => {
        const answer = await clientFor(app, session, customerId).get(`${before}${part}`)
        expect(answer.statusCode).toBeLessThan(500)
      },
    ),
    { numRuns: 150, seed: 2 },
  )
})

const encodeURIComponentSafely = (value: string): string => encodeURIComponent(value.toWellFormed())

test.each(['/%', '/v1/ec/invoices/%ff', '/v1/ec/%2e%2e/me', `/v1/ec/invoices/${'1'.repeat(300)}`, '//evil.example/v1/ec/me'])(
  'the odd address %s is refused or not found',
  async (url) => {
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${session.accessToken}` } })
    expect([400, 404, 414]).toContain(answer.statusCode)
    expect(answer.json()).toMatchObject({ message: expect.any(String) })
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-request-id': expect.any(String),
    })
  },
)

/** What the other side said before the line was cut, in whatever way. */
const rawResponse = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(heard))
  })

test.each([
  ['a header of twenty kilobytes', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['no HTTP at all', 'EHLO mail\r\n\r\n', 400],
  ['two lengths', 'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
  ['a length and chunks', 'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
])('a connection that sends %s is told so and closed', async (_, bytes, status) => {
  const listening = await context.app()
  await listening.listen({ port: 0, host: '127.0.0.1' })
  const address = listening.server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  const socket = connect(address.port, '127.0.0.1')
  socket.write(bytes)
  expect(await rawResponse(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})
