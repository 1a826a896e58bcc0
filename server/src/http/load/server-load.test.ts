import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { allEndpoints, clientFor, PORTAL, problemBody, signInAs } from '../../../test/support/http-client.ts'
import { addPerson, addTenant } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addMs } from '../../kit/clock.ts'
import { type AccessClaims, issueAccessToken } from '../../session/tokens.ts'
import { setErrorHandler } from '../error-handler.ts'
import { httpServerFactory } from '../sockets/http-server.ts'
import { createConcurrencyGate } from './concurrency-gate.ts'
import { METHOD_PATHS } from '../../payments/providers/registry.ts'
import { loadClasses } from './load-class.ts'
import { registerLoad, serverLoad } from './server-load.ts'

const loadClassOf = loadClasses(METHOD_PATHS.map(({ pathFamily }) => pathFamily))
const MAX_IN_HAND = 64
const BUSY_TEXT = 'We are very busy just now. Please try again in a moment.'

let context: TestContext
let app: FastifyInstance
let address: string
let tenant: Awaited<ReturnType<typeof addTenant>>
/** Ends the requests to `/v1/held`. */
let goOn = (): void => undefined
let held = Promise.resolve()
const hold = (): void => {
  held = new Promise((resolve) => (goOn = resolve))
}

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  app.get('/v1/held', async () => {
    await held
    return 'done'
  })
  app.get('/v1/large', async () => Buffer.alloc(32 * 1_048_576))
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  tenant = await addTenant(context)
})
afterEach(() => goOn())
afterAll(() => context.close())

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(`${address}${path}`, { headers })

/** Waits until the server has that many reads in hand. */
const untilInHand = (count: number): Promise<void> =>
  vi.waitFor(async () => expect(await (await get('/metrics')).text()).toContain(`counterfoil_requests_in_hand{class="normal"} ${count}\n`))

/** Fills the server with reads. @returns their answers */
const fill = async (): Promise<Promise<Response>[]> => {
  hold()
  const reads = Array.from({ length: MAX_IN_HAND }, () => get('/v1/held'))
  await untilInHand(MAX_IN_HAND)
  return reads
}

let tokens = 0
/** A bearer token of this user that the server has not verified yet: each is issued in another second. */
const freshToken = (accessToken: string): Promise<string> => {
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as AccessClaims
  tokens += 1
  return issueAccessToken(context.keys, claims, addMs(context.clock(), -tokens * 1_000))
}

const openSocket = async (): Promise<Socket> => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

test('[SESS-01] what a full server cannot do in time is answered 503 at once; payments, webhooks and probes go on', async () => {
  const reads = await fill()
  const busy = await get('/v1/ec/invoices')
  expect([busy.status, await busy.json()]).toEqual([503, problemBody('busy', BUSY_TEXT)])
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(busy.headers.get('content-type')).toBe('application/problem+json')
  expect(busy.headers.get('cache-control')).toBe('no-store')
  expect(busy.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await get('/v1/ec/payment/details/nothing')).status).toBe(404)
  expect((await get('/v1/ec/payments/intents/1')).status).toBe(401)
  expect((await fetch(`${address}/hooks/none/1`, { method: 'POST', body: '{}' })).status).toBe(404)
  expect((await get('/healthz')).status).toBe(200)
  expect((await get('/readyz')).status).toBe(200)
  expect((await fetch(`${address}/token`, { method: 'POST', body: new URLSearchParams({ ...PORTAL, grant_type: 'none' }) })).status).toBe(
    400,
  )
  expect(await (await get('/metrics')).text()).toMatch(/counterfoil_requests_refused_total\{class="normal"\} [1-9]/)
  goOn()
  expect(await Promise.all(reads.map(async (read) => (await read).status))).toEqual(Array(MAX_IN_HAND).fill(200))
  await untilInHand(0)
  expect((await get('/v1/ec/invoices')).status).toBe(401)
})

test('[SESS-01] who sends a full server requests without end and reads no answer is hung up on', async () => {
  await fill()
  const socket = await openSocket()
  socket.write('GET /v1/ec/invoices HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(50_000))
  await new Promise((resolve) => socket.once('close', resolve)) // it may be a reset, which `once` would reject with
  goOn()
  await untilInHand(0)
})

test.runIf(inject('testDatabase').kind === 'postgres')('[SESS-01] a payment does not wait for connections that readers hold', async () => {
  const { interactive } = context.store.pools
  const readers = await Promise.all(Array.from({ length: interactive.options.max ?? 0 }, () => interactive.connect()))
  const read = get('/v1/brands-settings?d=nobody.example')
  const payments = [get(`/v1/ec/payment/details/${'a'.repeat(43)}`), fetch(`${address}/hooks/none/1`, { method: 'POST', body: '{}' })]
  const statuses = await Promise.all(payments.map(async (payment) => (await payment).status))
  const stillWaiting = interactive.waitingCount
  for (const reader of readers) reader.release()
  expect([statuses, stillWaiting, (await read).status]).toEqual([[404, 404], 1, 404])
})

test('[SESS-01] a write that finds the server full once its body has come is answered 503 too', async () => {
  const { accessToken } = await signInAs(app, tenant.person)
  const socket = await openSocket()
  const headers = ['host: localhost', `authorization: Bearer ${accessToken}`, 'content-type: application/json', 'content-length: 2']
  const begun = once(app.server, 'request')
  socket.write(`PUT /v1/ec/profile HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{`)
  await begun
  await fill()
  socket.write('}')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d+\r\n/)
  socket.destroy()
  goOn()
  await untilInHand(0)
})

test('[SESS-01] who leaves while the token is verified leaves nothing behind', async () => {
  const { accessToken } = await signInAs(app, tenant.person)
  const other = clientFor(app, await signInAs(app, await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])))
  for (let at = 0; at < 200; at += 1) {
    const [socket, token] = await Promise.all([openSocket(), freshToken(accessToken)])
    const begun = once(app.server, 'request')
    socket.write(`GET /v1/ec/invoices HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nx-customer-id: 999999999\r\n\r\n`)
    await begun
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  await untilInHand(0)
  const { status } = await get('/v1/ec/invoices', { authorization: `Bearer ${await freshToken(accessToken)}` })
  expect([status, (await other.get('/v1/ec/invoices')).statusCode]).toEqual([200, 200])
})

test('[SESS-01] for clients that leave while they wait for their turn no handler runs', async () => {
  const load = serverLoad(context.store, false, loadClassOf)
  const concurrencyGate = createConcurrencyGate(load)
  const small = fastify({ serverFactory: httpServerFactory([], load.admit) })
  registerLoad(small, loadClassOf)
  setErrorHandler(small)
  let handled = 0
  hold()
  small.get('/v1/held', { preValidation: (request) => concurrencyGate.admitUser('one', request) }, async () => {
    handled += 1
    await held
    return 'done'
  })
  const port = Number(new URL(await small.listen({ port: 0, host: '127.0.0.1' })).port)
  const sockets: Socket[] = []
  for (let at = 0; at < 30; at += 1) {
    const begun = once(small.server, 'request')
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write('GET /v1/held HTTP/1.1\r\nhost: localhost\r\n\r\n')
    sockets.push(socket)
    await begun
  }
  // One user's requests take as many places of the server's as are worked on.
  expect([handled, load.inHand.normal]).toEqual([2, 2])
  for (const socket of sockets) socket.resetAndDestroy()
  await vi.waitFor(async () => expect(await countConnections(small)).toBe(0))
  expect([handled, load.inHand.normal]).toEqual([2, 2])
  goOn()
  await vi.waitFor(() => expect(load.inHand.normal).toBe(0))
  expect(handled).toBe(2)
  expect((await fetch(`http://127.0.0.1:${port}/v1/held`)).status).toBe(200)
  expect(handled).toBe(3)
  load.stop()
  await small.close()
})

const countConnections = (server: FastifyInstance): Promise<number> =>
  new Promise((resolve, reject) => server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))))

test('[SESS-01] a long answer that is read slowly takes no place', async () => {
  const sockets = await Promise.all(Array.from({ length: 4 }, openSocket))
  for (const socket of sockets) {
    const begun = once(app.server, 'request')
    socket.pause().write('GET /v1/large HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await begun
  }
  await untilInHand(0)
  for (const socket of sockets) socket.destroy()
})

test('[SESS-01] every call that moves money is urgent, and so are links and their look-ups', () => {
  const MONEY = /^\/v1\/ec\/(pay|payment|payments|autorize|bpoint|ippay|moneris|nexio)(\/|$)/
  const urgent = allEndpoints.filter(({ path }) => loadClassOf(path) === 'urgent').map(({ path }) => path)
  expect(urgent.toSorted()).toEqual(
    allEndpoints.flatMap(({ path }) => (MONEY.test(path) && !path.startsWith('/v1/ec/payments/receipts/') ? [path] : [])).toSorted(),
  )
  expect(allEndpoints.filter(({ path }) => loadClassOf(path) === null)).toEqual([])
  expect(loadClassOf('/token', { grant_type: 'password' })).toBe('hashing')
  expect(loadClassOf('/token', { grant_type: 'refresh_token' })).toBe('session')
})
