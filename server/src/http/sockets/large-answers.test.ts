import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'

/** Four of them are as much as the server holds; all are the same bytes here. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'a')

let context: TestContext
let app: FastifyInstance
let url: string

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  context = await testContext()
  app = await context.app()
  app.get('/large', async () => LARGE)
  app.get('/large-text', async () => 'ä'.repeat(50_000))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  app.server.closeAllConnections()
  await context.close()
  vi.useRealTimers()
})

/** Asks for an answer and reads nothing of it. */
const open = async (): Promise<IncomingMessage> => {
  const [answer] = (await once(get(`${url}/large`, { agent: false }), 'response')) as [IncomingMessage]
  return answer.on('error', () => undefined)
}

const lengthOf = async (answer: IncomingMessage): Promise<number> => {
  let bytes = 0
  for await (const piece of answer) bytes += (piece as Buffer).length
  return bytes
}

test('[EASE-05][SESS-01] of answers that nobody reads the server holds a bounded part; where there is no room, the slowest is broken off', async () => {
  const slowest = await open()
  vi.advanceTimersByTime(10_000)
  const others = [await open(), await open(), await open(), await open()]
  slowest.resume()
  await vi.waitFor(() => expect(slowest.closed).toBe(true), { timeout: 60_000 })
  expect(slowest.complete).toBe(false)
  expect(await Promise.all(others.map(lengthOf))).toEqual(others.map(() => LARGE.length))
})

test('a large answer has its length, also as text and for HEAD', async () => {
  const text = await app.inject('/large-text')
  expect([text.body, text.headers['content-length']]).toEqual(['ä'.repeat(50_000), '100000'])
  const head = await app.inject({ method: 'HEAD', url: '/large-text' })
  expect([head.body, head.headers['content-length']]).toEqual(['', '100000'])
})
