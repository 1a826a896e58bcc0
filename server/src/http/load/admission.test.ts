import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientFor, postForm, PORTAL, signInAs } from '../../../test/support/http-client.ts'
import { addPerson, addTenant } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'

const LIMITS = ['anonymous', 'address', 'network', 'user', 'account'].map((name) => `${name}=100000/1s`).join(' ')
const [ATTACKER, NEIGHBOUR] = ['192.0.2.1', '198.51.100.7']
/** Many more than may be under way and wait, also where some are answered while the others still come. */
const FLOOD = 200

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  context = await testContext({ LIMITS })
  app = await context.app()
  tenant = await addTenant(context)
  // Every password worker has started: whoever gets a starting one waits longer than on a busy machine the whole flood takes. Of one
  // address too few are hashed at once to start them all.
  await Promise.all(Array.from({ length: 8 }, (_, host) => signIn(`203.0.113.${host}`)()))
})
afterAll(() => context.close())

interface Outcome {
  readonly name: string
  readonly status: number
  readonly retryAfter: string | undefined
}

/** Sends requests at once. @returns the responses in the order in which they came */
const inOrderOfResponse = async (
  requests: readonly { name: string; send(): Promise<{ statusCode: number; headers: object }> }[],
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  await Promise.all(
    requests.map(async ({ name, send }) => {
      const { statusCode, headers } = await send()
      outcomes.push({ name, status: statusCode, retryAfter: (headers as Record<string, string>)['retry-after'] })
    }),
  )
  return outcomes
}

const flood = (send: () => Promise<{ statusCode: number; headers: object }>) =>
  Array.from({ length: FLOOD }, () => ({ name: 'flood', send }))

/** Of the 60 that may wait, so many still do when somebody is refused or the neighbour is answered, however quick the machine is. */
const STILL_WAITING = 30

/** Who floods is refused while others of the flood wait, and whoever comes last is answered before them. */
const expectFairness = (outcomes: readonly Outcome[]): void => {
  const refused = outcomes.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(30)
  expect(refused.every(({ name, retryAfter }) => name === 'flood' && retryAfter === '1')).toBe(true)
  const lastTooMany = outcomes.findLastIndex(({ status }) => status === 429)
  expect(outcomes.length - lastTooMany).toBeGreaterThan(STILL_WAITING)
  const answered = outcomes.filter(({ status }) => status !== 429)
  expect(answered.length - answered.findIndex(({ name }) => name === 'neighbour')).toBeGreaterThan(STILL_WAITING)
}

let count = 0
const signIn = (address: string) => () =>
  postForm(app, '/token', { ...PORTAL, grant_type: 'password', username: `nobody-${(count += 1)}`, password: 'wrong' }, {}, address)

test('[SESS-01] a flood of sign-ins from one address is cut before it is hashed, and others sign in meanwhile', async () => {
  expectFairness(await inOrderOfResponse([...flood(signIn(ATTACKER)), { name: 'neighbour', send: signIn(NEIGHBOUR) }]))
})

test('[SESS-01] an address of IPv6 is its network: a new one for every sign-in gets no further', async () => {
  let host = 0
  const fromAnywhere = () => signIn(`2001:db8:1:1::${((host += 1)).toString(16)}`)()
  expectFairness(await inOrderOfResponse([...flood(fromAnywhere), { name: 'neighbour', send: signIn(NEIGHBOUR) }]))
})

test('[SESS-01] requests of one signed-in user wait for each other and not for the other users', async () => {
  const [me, other] = [tenant.person, await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])]
  const [mine, others] = [clientFor(app, await signInAs(app, me)), clientFor(app, await signInAs(app, other))]
  const read = (client: typeof mine) => () => client.get('/v1/ec/invoices')
  expectFairness(await inOrderOfResponse([...flood(read(mine)), { name: 'neighbour', send: read(others) }]))
  expect((await read(mine)()).statusCode).toBe(200)
})

test('[SESS-01] an office behind one address is not one person', async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, () => addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])),
  )
  const clients = await Promise.all(people.map(async (person) => clientFor(app, await signInAs(app, person))))
  const requests = clients.flatMap((client) => Array.from({ length: 10 }, () => () => client.get('/v1/ec/me')))
  const outcomes = await inOrderOfResponse(requests.map((send) => ({ name: 'office', send })))
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
})

test('[SESS-01] senders who stop in the middle of their bodies hold up nobody of their address', async () => {
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const head = 'POST /token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\n'
  const slow = Array.from({ length: 5 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  for (const socket of slow) {
    const begun = once(app.server, 'request')
    socket.write(`${head}grant_type=`)
    await begun
  }
  const body = new URLSearchParams({ ...PORTAL, grant_type: 'password', username: 'nobody', password: 'wrong' })
  expect((await fetch(`http://127.0.0.1:${port}/token`, { method: 'POST', body })).status).toBe(400)
  expect(slow.filter(({ destroyed }) => destroyed)).toEqual([])
  for (const socket of slow) socket.destroy()
})

test('[SESS-01] a request that is refused, not understood or abandoned leaves its place', async () => {
  for (let at = 0; at < FLOOD; at += 1)
    expect(
      (await app.inject({ method: 'POST', url: '/token', payload: '{', headers: { 'content-type': 'application/json' } })).statusCode,
    ).toBe(400)
  const address = app.listeningOrigin
  for (let at = 0; at < FLOOD; at += 1) {
    const abandoned = new AbortController()
    const body = new URLSearchParams({ ...PORTAL, grant_type: 'password', username: 'nobody', password: 'wrong' })
    const asking = fetch(`${address}/token`, { method: 'POST', body, signal: abandoned.signal }).catch(() => undefined)
    setImmediate(() => abandoned.abort())
    await asking
  }
  expect((await signIn('127.0.0.1')()).statusCode).toBe(400)
})
