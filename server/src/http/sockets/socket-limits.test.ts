import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { buildApp } from '../../app.ts'

const MAX_PER_ADDRESS = 200
/** A busy machine is no fault. */
const WAIT = { timeout: 60_000 }

let context: TestContext
const opened: Socket[] = []
const apps: FastifyInstance[] = []

beforeAll(async () => {
  context = await testContext()
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})
afterAll(async () => {
  for (const app of apps) await app.close()
  await context.close()
})

interface HeldServer {
  readonly app: FastifyInstance
  readonly port: number
  /** The paths of the requests whose handler has begun. */
  readonly begun: string[]
  goOn(): void
}

/** Starts a server with a route `/held`, whose answer waits until `goOn` is called, `/next`, and `/unread`, whose answer never leaves. */
const startServer = async (trustedProxies: readonly string[] = []): Promise<HeldServer> => {
  const app = await buildApp(
    { ...context, config: { ...context.config, trustedProxies } },
    { readiness: { isReady: true }, portalFolder: null },
  )
  const { promise, resolve } = Promise.withResolvers<string>()
  const begun: string[] = []
  const route = (path: string, answer: () => Promise<string>): void =>
    void app.get(path, () => {
      begun.push(path)
      return answer()
    })
  route('/held', () => promise)
  route('/next', async () => 'next')
  app.get('/unread', async (_, reply) => {
    reply.raw.socket?.cork() // as if the system took nothing for this client
    const body = new PassThrough()
    body.write('unread')
    return reply.send(body)
  })
  apps.push(app)
  return { app, port: Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port), begun, goOn: () => resolve('done') }
}

const requestText = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

const openSocket = (port: number, localAddress = '127.0.0.1'): Socket => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  opened.push(socket)
  return socket.on('error', () => undefined)
}

/** Sends a request. @returns whether the server answered */
const isServed = async (socket: Socket): Promise<boolean> => {
  socket.write(requestText('/healthz'))
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
}

const countServed = async (port: number, sockets: number): Promise<number> => {
  let served = 0
  for (let at = 0; at < sockets; at += 1) if (await isServed(openSocket(port))) served += 1
  return served
}

test('[SESS-01] an address has 200 sockets at most: a new one takes the place of the oldest that waits', async () => {
  const { port } = await startServer()
  expect(await countServed(port, MAX_PER_ADDRESS)).toBe(MAX_PER_ADDRESS)
  const [first, second] = opened as [Socket, Socket]
  const closed = once(first, 'close')
  expect(await isServed(openSocket(port))).toBe(true)
  await closed
  expect(second.destroyed).toBe(false)
})

test('[SESS-01] a socket on which a request is worked on keeps its place, and the new one is refused', async () => {
  const { app, port, goOn } = await startServer()
  let held = 0
  const all = Promise.withResolvers<void>()
  app.server.on('request', () => {
    held += 1
    if (held === MAX_PER_ADDRESS) all.resolve()
  })
  for (let at = 0; at < MAX_PER_ADDRESS; at += 1) openSocket(port).write(requestText('/held'))
  await all.promise
  expect(await isServed(openSocket(port))).toBe(false)
  const answers = opened.slice(0, MAX_PER_ADDRESS).map((socket) => once(socket, 'data'))
  goOn()
  expect((await Promise.all(answers)).every(([bytes]) => String(bytes).startsWith('HTTP/1.1 200'))).toBe(true)
})

test('[SESS-01] a thousand sockets of five addresses that send slowly do not close the door for a sixth', async () => {
  const { app, port } = await startServer()
  let connected = 0
  const all = Promise.withResolvers<void>()
  app.server.on('connection', () => {
    connected += 1
    if (connected === 5 * MAX_PER_ADDRESS) all.resolve()
  })
  for (let host = 2; host <= 6; host += 1)
    for (let at = 0; at < MAX_PER_ADDRESS; at += 1) openSocket(port, `127.0.0.${host}`).write('POST /token HTTP/1.1\r\nhost: localhost\r\n')
  await all.promise
  expect(await isServed(openSocket(port))).toBe(true)
})

/** Asks for answers that nobody reads, from so many addresses. @returns once the server has written them all */
const leaveUnread = async (app: FastifyInstance, port: number, addresses: number, sockets: number): Promise<void> => {
  const atServer: Socket[] = []
  app.server.on('connection', (socket: Socket) => atServer.push(socket))
  for (let host = 2; host < 2 + addresses; host += 1)
    for (let at = 0; at < sockets; at += 1) openSocket(port, `127.0.0.${host}`).write(requestText('/unread'))
  await vi.waitFor(() => {
    expect(atServer).toHaveLength(addresses * sockets)
    expect(atServer.every(({ writableLength }) => writableLength > 0)).toBe(true)
  }, WAIT)
}

test('[SESS-01] a thousand sockets of five addresses that read nothing do not close the door for a sixth', async () => {
  const { app, port } = await startServer()
  await leaveUnread(app, port, 5, MAX_PER_ADDRESS)
  expect(await isServed(openSocket(port))).toBe(true)
})

test('[SESS-01] where no socket waits, a new one takes the place of an answer that is not read, not of a request that is worked on', async () => {
  const { app, port, begun, goOn } = await startServer()
  const working = openSocket(port, '127.0.0.2')
  working.write(requestText('/held'))
  await vi.waitFor(() => expect(begun).toEqual(['/held']), WAIT)
  await leaveUnread(app, port, 1, MAX_PER_ADDRESS - 1)
  expect(await isServed(openSocket(port, '127.0.0.2'))).toBe(true)
  goOn()
  expect(String((await once(working, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/)
})

test.each(['127.0.0.1', '127.0.0.0/8'])('[SESS-01] a trusted proxy (%s) has as many as it wants', async (proxy) => {
  const { port } = await startServer([proxy])
  expect(await countServed(port, MAX_PER_ADDRESS + 5)).toBe(MAX_PER_ADDRESS + 5)
  expect(opened.every(({ destroyed }) => !destroyed)).toBe(true)
})

test('[SESS-01] who sends its headers too slowly is hung up on', async () => {
  const { app } = await startServer()
  expect(app.server.headersTimeout).toBe(10_000)
})

test('[SESS-01] of requests that come in one packet the next is begun when the one before is answered', async () => {
  const { app, port, goOn, begun } = await startServer()
  const arrived = once(app.server, 'request')
  const socket = openSocket(port)
  socket.write(requestText('/held') + requestText('/next').repeat(3))
  await arrived
  // Those that stand in the same packet would have begun in the same turn of the event loop.
  await vi.waitFor(() => expect(begun).toEqual(['/held']))
  await new Promise(setImmediate)
  expect(begun).toEqual(['/held'])
  goOn()
  let text = ''
  for await (const bytes of socket) {
    text += String(bytes)
    if (text.split('HTTP/1.1 200').length === 5) break
  }
  expect(begun).toEqual(['/held', '/next', '/next', '/next'])
})

test('[SESS-01] who sends more requests ahead than anybody reads the answers of is hung up on', async () => {
  const { port } = await startServer()
  const socket = openSocket(port)
  socket.write(requestText('/held').repeat(18))
  await once(socket, 'close')
})
