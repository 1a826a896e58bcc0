import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { type TestHouse, testHouse } from '../../test-house.ts'

let house: TestHouse
let app: FastifyInstance

beforeAll(async () => {
  house = await testHouse()
  app = await house.app()
})
beforeEach(() => house.advance(60_000))
afterAll(() => house.close())

const start = (query: Record<string, string>, remoteAddress = '127.0.0.1') =>
  app.inject({ url: `/sso/login?${new URLSearchParams(query)}`, remoteAddress })

const UNKNOWN = '/login?e=Unexpected%20redirect%20error'

test('[AUTH-09] an unknown company comes back to the sign-in page with the message that the portal knows, and with the path to go on to', async () => {
  const answer = await start({ b: 'acme', ct: '2', r: '/invoices?page=2#open' })
  expect([answer.statusCode, answer.headers.location]).toEqual([302, `${UNKNOWN}&r=%2Finvoices%3Fpage%3D2%23open`])
})

test.each([
  'https://attacker.net',
  '//attacker.net',
  '/\\attacker.net',
  '\\/attacker.net',
  '/%2Fattacker.net',
  '/%5Cattacker.net',
  '/\t/attacker.net',
  '/%09/attacker.net',
  'javascript:alert(1)',
  'invoices',
  '/invoices\r\nset-cookie: a=b',
  '',
])('[AUTH-09] a redirect target that is no plain path of this origin is dropped: %j', async (r) => {
  expect((await start({ b: 'acme', ct: '2', r })).headers.location).toBe(UNKNOWN)
})

test('[AUTH-09] one address tries ten companies a minute and no more', async () => {
  for (let at = 1; at <= 10; at += 1) expect((await start({ b: `company-${at}` })).statusCode).toBe(302)
  const refused = await start({ b: 'company-11' })
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    429,
    '6',
    { message: 'Too many attempts. Please try again in 6 seconds.' },
  ])
  expect((await start({ b: 'acme' }, '192.0.2.1')).statusCode).toBe(302)
})
