import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import { type Endpoint, pathOf } from '@counterfoil/contract/kit/http/endpoint'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  clientFor,
  sendRequest,
  allEndpoints,
  PORTAL,
  refresh,
  postForm,
  signInAs,
  type TestSession,
} from '../../test/support/http-client.ts'
import { deliverMail, type TestMailbox, startTestMailbox, tokenIn } from '../../test/support/mailbox.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addPerson, queryAsAdministrator, changePerson, PASSWORD, type TestPerson } from '../../test/support/people.ts'
import { exampleOf } from '../../test/support/example-requests.ts'
import { addTenants, type Tenants } from '../../test/support/tenants.ts'

const endpoints = allEndpoints.filter(({ access }) => access !== 'public')
const NEW = 'Quarry-Otter-29-lantern'

let mailbox: TestMailbox
let context: TestContext
let app: FastifyInstance
let tenants: Tenants

beforeAll(async () => {
  mailbox = await startTestMailbox()
  const limits = ['user', 'anonymous', 'address', 'network', 'account', 'link', 'email', 'requester'].map((name) => `${name}=100000/1s`)
  context = await testContext({ LIMITS: limits.join(' '), MAIL_URL: mailbox.url })
  app = await context.app()
  tenants = await addTenants(context)
})
afterAll(async () => {
  await context.close()
  await mailbox.close()
})

let counter = 0
const addUser = async (): Promise<{ person: TestPerson; email: string }> => {
  const { ours } = tenants
  const email = `revoked-${(counter += 1)}@customer.net`
  return { email, person: await addPerson(context, ours.id, ours.first.brandId, [ours.first.id], { email }) }
}

const send = (endpoint: Endpoint, token: string): Promise<Answer> => {
  const { params, query, body } = exampleOf(endpoint, tenants.ours.first)
  return sendRequest(app, {
    method: endpoint.method,
    url: `${pathOf(endpoint, params)}${query === undefined ? '' : `?${query}`}`,
    headers: { authorization: `Bearer ${token}`, [CUSTOMER_HEADER]: String(tenants.ours.first.id) },
    ...(body === undefined ? {} : { payload: body }),
  })
}

interface Victim {
  readonly person: TestPerson
  readonly email: string
  readonly session: TestSession
}

/** What takes a session's rights away, and what is left of them: none, or those of a user who acts for nobody. */
const EVENTS: Readonly<Record<string, { happens: (victim: Victim) => Promise<unknown>; leaves: 'nothing' | 'a session for no customer' }>> =
  {
    'a logout': {
      happens: ({ session }) => postForm(app, '/revoke', { token: session.refreshToken, ...PORTAL }),
      leaves: 'nothing',
    },
    'a change of the password in another browser': {
      happens: async ({ person }) => {
        const other = clientFor(app, await signInAs(app, person), tenants.ours.first.id)
        const changed = await other.post('/v1/ec/password', { oldPassword: PASSWORD, newPassword: NEW })
        expect(changed.statusCode, changed.body).toBeLessThan(300)
      },
      leaves: 'nothing',
    },
    'a new password by a mailed link': {
      happens: async ({ email }) => {
        await sendRequest(app, { method: 'POST', url: '/v1/ec/password-reset-request', payload: { email } })
        await deliverMail(context)
        const mail = mailbox.list().find(({ to }) => JSON.stringify(to).includes(email))
        const reset = await sendRequest(app, {
          method: 'POST',
          url: '/v1/ec/password-reset',
          payload: { token: tokenIn(mail), password: NEW },
        })
        expect(reset.statusCode, reset.body).toBeLessThan(300)
      },
      leaves: 'nothing',
    },
    'the user being disabled': {
      happens: ({ person }) => changePerson(context, tenants.ours.id, person.id, { disabled_at: context.clock() }),
      leaves: 'nothing',
    },
    'the customer being taken from the user': {
      happens: ({ person }) => queryAsAdministrator(context, 'delete from user_customer where user_id = $1', [person.id]),
      leaves: 'a session for no customer',
    },
  }

test.each(Object.entries(EVENTS))(
  '[SESS-04] after %s no endpoint accepts the old access token or the old refresh token',
  async (_, event) => {
    const { person, email } = await addUser()
    const session = await signInAs(app, person)
    const before = await send(endpoints.find(({ path }) => path === '/v1/ec/me') ?? (endpoints[0] as Endpoint), session.accessToken)
    expect(before.statusCode).toBe(200)
    await event.happens({ person, email, session })
    context.advance(1_000) // what is remembered of a session is a second old at most

    const taken: string[] = []
    const mayStill = (endpoint: Endpoint): boolean => event.leaves !== 'nothing' && endpoint.access === 'user'
    for (const endpoint of endpoints) {
      const { statusCode } = await send(endpoint, session.accessToken)
      if (![401, 403, 404].includes(statusCode) && !mayStill(endpoint)) taken.push(`${endpoint.method} ${endpoint.path} ${statusCode}`)
      if (event.leaves === 'nothing' && statusCode !== 401) taken.push(`${endpoint.method} ${endpoint.path} ${statusCode}`)
      // Nor is the refresh token good as an access token.
      if ((await send(endpoint, session.refreshToken)).statusCode !== 401)
        taken.push(`${endpoint.method} ${endpoint.path} by refresh token`)
    }
    expect(taken).toEqual([])
    const again = await refresh(app, session.refreshToken, session.cookie)
    expect(again.statusCode).toBe(event.leaves === 'nothing' ? 400 : 200)
  },
)
