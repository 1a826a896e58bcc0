import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestContext, testContext } from '../../test/support/test-app.ts'

const [WEBHOOK, SAML] = ['/hooks/stripe/1', '/sso/callback']
/** As large as a webhook may be: an address may have four at once, all together thirty-two. */
const WEBHOOK_BYTES = 1_048_576
/** A busy machine is no fault. */
const WAIT = { timeout: 60_000 }

let context: TestContext
let app: FastifyInstance
let port: number
const opened: Socket[] = []

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})
afterAll(() => context.close())

/** Begins to send as many bodies as an address may, and goes on with none of them. */
const beginBodies = async (address: string, length: string): Promise<void> => {
  for (let at = 0; at < 4; at += 1) {
    const begun = once(app.server, 'request')
    const socket = connect({ port, host: '127.0.0.1', localAddress: address }).on('error', () => undefined)
    opened.push(socket)
    socket.write(`POST ${WEBHOOK} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${length}\r\n\r\n`)
    await begun
  }
}

const post = async (url: string, bytes: number, remoteAddress: string): Promise<number> => {
  const headers = { 'content-type': url === SAML ? 'application/x-www-form-urlencoded' : 'application/json' }
  return (await app.inject({ method: 'POST', url, payload: 'x'.repeat(bytes), headers, remoteAddress })).statusCode
}

test.each([`content-length: ${WEBHOOK_BYTES}`, 'transfer-encoding: chunked'])(
  '[PAY-01][SESS-01] of large bodies (%s) an address has a bounded part in hand, and small ones are taken beside it',
  async (length) => {
    await beginBodies('127.0.0.2', length)
    expect(await post(WEBHOOK, WEBHOOK_BYTES, '127.0.0.2')).toBe(429)
    expect(await post(SAML, 100_000, '127.0.0.2')).toBe(429)
    expect(await post(WEBHOOK, 60_000, '127.0.0.2')).toBe(404)
    expect(await post(WEBHOOK, WEBHOOK_BYTES, '127.0.0.3')).toBe(404)
    for (const socket of opened) socket.destroy()
    await vi.waitFor(async () => expect(await post(WEBHOOK, WEBHOOK_BYTES, '127.0.0.2')).toBe(404), WAIT)
  },
)

test('[PAY-01][SESS-01] and all addresses together, too', async () => {
  for (let host = 2; host < 10; host += 1) await beginBodies(`127.0.0.${host}`, `content-length: ${WEBHOOK_BYTES}`)
  expect(await post(WEBHOOK, WEBHOOK_BYTES, '127.0.0.99')).toBe(503)
  expect(await post(WEBHOOK, 60_000, '127.0.0.99')).toBe(404)
})

test('[PAY-01] where no provider sends webhooks, no body is read', async () => {
  for (const url of ['/hooks/nobody/1', '/hooks/stripe/x']) expect(await post(url, WEBHOOK_BYTES + 1, '127.0.0.2')).toBe(404)
})
