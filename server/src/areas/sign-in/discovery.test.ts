import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { type Answer, sendRequest, comparableResponse, trySignIn } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, addPerson, changePerson } from '../../../test/support/people.ts'

const LIMITS = ['user', 'anonymous', 'address', 'network', 'account', 'email', 'requester', 'link']
  .map((name) => `${name}=100000/1s`)
  .join(' ')

let context: TestContext
let app: FastifyInstance
let known: string[]

beforeAll(async () => {
  context = await testContext({ LIMITS })
  app = await context.app()
  const tenant = await addTenant(context)
  const person = (more: object) => addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], more)
  const people = [
    await person({ username: 'known@customer.net', email: 'known@customer.net' }),
    await person({ username: 'invited@customer.net', email: 'invited@customer.net', password_hash: null }),
    await person({ username: 'gone@customer.net', email: 'gone@customer.net' }),
  ]
  await changePerson(context, tenant.resellerId, people[2]?.id ?? '', { disabled_at: context.clock() })
  known = people.map(({ username }) => username)
})
afterAll(() => context.close())

/** Sends requests about a known and an unknown user in turn; every response must be the same in status, headers and body. */
const expectNoDifference = async (pairs: number, about: (name: string) => Promise<Answer>): Promise<void> => {
  let first: object | undefined
  for (let at = 0; at < pairs; at += 1)
    for (const name of [known[at % known.length] ?? '', `nobody-${at}@customer.net`]) {
      const answer = comparableResponse(await about(name))
      first ??= answer
      expect(answer, name).toEqual(first)
    }
}

test('[AUTH-03] of thirty known and thirty unknown usernames each wrong password has the same answer, headers and all', () =>
  expectNoDifference(30, (username) => trySignIn(app, { username, password: 'wrong' })))

test('[AUTH-07] of 500 known and 500 unknown addresses each request for a new password has the same answer, headers and all', () =>
  expectNoDifference(500, (email) => sendRequest(app, { method: 'POST', url: '/v1/ec/password-reset-request', payload: { email } })))

test('[REG-01][RST-01] of 500 made-up links each has the same answer, whatever stands in it', () =>
  expectNoDifference(500, (name) => {
    const token = Buffer.from(name.repeat(4)).toString('base64url').slice(0, 65)
    return sendRequest(app, { method: 'POST', url: '/v1/ec/user-registration', payload: { token, password: 'Quarry-Otter-29-lantern!' } })
  }))
