import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { toReturnUrl } from './payment-return.ts'

let context: TestContext
let app: Awaited<ReturnType<TestContext['app']>>

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
})
afterAll(() => context.close())

const THROUGH_SERVER = { returnsThroughServer: true }
const leaving = (pageUrl: string | null) => ({ attemptId: '5f0f2b0e-0000-4000-8000-000000000001', pageUrl })
const pathOf = (pageUrl: string): string => new URL(toReturnUrl(context, THROUGH_SERVER, leaving(pageUrl)) ?? '').pathname
const get = (url: string) => app.inject({ method: 'GET', url })

test('[PAY-01] [PR-01] a payer who comes back is led to the result page with its four values, whatever the bank has added', async () => {
  const path = pathOf('https://brand.example/payment-result?req_uid=5f0f')
  for (const added of ['', '?id=1&status=settled&orderNumber=our-2&req_uid=other&payment_intent=other']) {
    const answer = await get(path + added)
    expect(answer.statusCode).toBe(303)
    const { pathname, searchParams } = new URL(String(answer.headers.location), 'https://brand.example')
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/payment-result',
      { payment_intent: leaving('').attemptId, payment_intent_client_secret: '', source_type: 'card', req_uid: leaving('').attemptId },
    ])
  }
})

test('[PAY-01] [SP-01] the payer of a link is led back to it; the brand stays', async () => {
  const url = toReturnUrl(context, THROUGH_SERVER, leaving('https://brand.example/pay/token-1'))
  expect(url).toMatch(/^https:\/\/brand\.example\/payment-return\//)
  expect((await get(new URL(url ?? '').pathname)).headers.location).toBe('/pay/token-1')
})

test('[PAY-01] a state that is not ours is refused, and leads nowhere', async () => {
  const path = pathOf('https://brand.example/payment-result')
  const [state = '', signature = ''] = path.slice('/payment-return/'.length).split('.')
  const forged = Buffer.from(JSON.stringify({ attemptId: 'a', path: '/logout' })).toString('base64url')
  for (const odd of [
    state,
    `${state}.`,
    `${forged}.${signature}`,
    `${state}.${signature.slice(1)}A`,
    `${state}x.${signature}`,
    '',
    '.',
    'a.b',
  ]) {
    const answer = await get(`/payment-return/${odd}`)
    expect([answer.statusCode, answer.headers.location], odd).toEqual([400, undefined])
  }
})

test('[PAY-01] providers that come back to our pages, and charges without a payer, need no state', () => {
  expect(toReturnUrl(context, {}, leaving('https://brand.example/payment-result'))).toBe('https://brand.example/payment-result')
  expect(toReturnUrl(context, THROUGH_SERVER, leaving(null))).toBeNull()
})
