import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { buildApp } from '../../app.ts'

const MAX_PER_ADDRESS = 200

let context: TestContext
const opened: Socket[] = []
const apps: FastifyInstance[] = []

beforeAll(async () => {
  context = await testContext()
})
afterAll(async () => {
  for (const socket of opened) socket.destroy()
  for (const app of apps) await app.close()
  await context.close()
})

const startServer = async (trustedProxies: readonly string[]): Promise<number> => {
  const app = await buildApp(
    { ...context, config: { ...context.config, trustedProxies } },
    { readiness: { isReady: true }, portalFolder: null },
  )
  apps.push(app)
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

/** Opens a connection and asks for something. @returns whether the server answered */
const isServed = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => undefined)
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
}

const countServed = async (port: number, sockets: number): Promise<number> => {
  let served = 0
  for (let at = 0; at < sockets; at += 1) if (await isServed(port)) served += 1
  return served
}

test('[SESS-01] an address has 200 sockets at most, and another one when it closes one', async () => {
  const port = await startServer([])
  expect(await countServed(port, MAX_PER_ADDRESS + 5)).toBe(MAX_PER_ADDRESS)
  const first = opened[0]
  first?.destroy()
  await expect.poll(() => isServed(port)).toBe(true)
  for (const socket of opened.splice(0)) socket.destroy()
})

test.each(['127.0.0.1', '127.0.0.0/8'])('[SESS-01] a trusted proxy (%s) has as many as it wants', async (proxy) => {
  expect(await countServed(await startServer([proxy]), MAX_PER_ADDRESS + 5)).toBe(MAX_PER_ADDRESS + 5)
})

test('[SESS-01] who sends its headers too slowly is hung up on', async () => {
  const app = await context.app()
  expect(app.server.headersTimeout).toBe(10_000)
})
