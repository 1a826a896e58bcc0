import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { type TestContext, testContext } from '../../test/support/test-app.ts'

let context: TestContext
let app: FastifyInstance
beforeAll(async () => {
  context = await testContext()
  app = await context.app()
})
afterAll(() => context.close())

test.each([
  ['DELETE', '/v1/ec/invoices', 'GET, HEAD'],
  ['GET', '/v1/ec/pay', 'POST'],
  ['PUT', '/v1/ec/payments/cards/7', 'DELETE'],
  ['PATCH', '/readyz', 'GET, HEAD'],
  ['GET', '/token', 'POST'],
] as const)('%s %s is refused with the methods that the address takes', async (method, url, allow) => {
  const answer = await app.inject({ method, url })
  expect([answer.statusCode, answer.headers['allow']]).toEqual([405, allow])
  expect(answer.json()).toMatchObject({ code: 'method_not_allowed', message: `This address takes ${allow} only.` })
})

test('an address that takes nothing is not found, whatever the method', async () => {
  for (const method of ['GET', 'DELETE'] as const) expect((await app.inject({ method, url: '/v1/nothing' })).statusCode).toBe(404)
})

test('the description of the API has no address more than before', async () => {
  const { paths } = (await app.inject('/openapi.json')).json<{ paths: Record<string, object> }>()
  expect(Object.keys(paths['/v1/ec/invoices'] ?? {})).toEqual(['get'])
})
