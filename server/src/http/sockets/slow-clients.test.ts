import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'

const CHUNK_BYTES = 65_536
/** More than the system takes for a client that does not read. */
const CHUNKS = 256

/** A busy machine is no fault. */
const WAIT = { timeout: 60_000 }

let context: TestContext
let app: FastifyInstance
let port: number
const opened: Socket[] = []

beforeAll(async () => {
  // The server looks at its sockets every few seconds; the sockets themselves are real.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  context = await testContext()
  app = await context.app()
  app.get('/large', async (_, reply) => reply.send(Readable.from(Array.from({ length: CHUNKS }, () => Buffer.alloc(CHUNK_BYTES)))))
  app.get('/one-piece', async () => Buffer.alloc(CHUNKS * CHUNK_BYTES))
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  for (const socket of opened) socket.destroy()
  await context.close()
  vi.useRealTimers()
})

/** Opens a connection and sends this text. @returns the client's end and the server's, once the server has read the text */
const send = async (text: string): Promise<{ client: Socket; atServer: Socket }> => {
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const begun = once(app.server, 'request')
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  opened.push(client)
  client.write(text)
  const [atServer] = await connected
  await begun
  return { client, atServer }
}

const POST = 'POST /token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 60000\r\n\r\n'

test('[SESS-01] a body of which a byte comes now and then is refused after seconds, with an answer', async () => {
  const { client } = await send(`${POST}grant_type=`)
  const answer = once(client, 'data')
  vi.advanceTimersByTime(2_500)
  client.write('p')
  vi.advanceTimersByTime(5_000)
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 408 /)
  await once(client, 'close')
})

test('[SESS-01] a body that comes at the pace of a bad line is waited for', async () => {
  const { client, atServer } = await send(POST)
  vi.advanceTimersByTime(2_500)
  const read = once(atServer, 'data')
  client.write('x'.repeat(40_000))
  await read
  await vi.waitFor(() => expect(atServer.bytesRead).toBeGreaterThan(40_000))
  vi.advanceTimersByTime(5_000)
  expect(client.destroyed).toBe(false)
})

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

/** Asks for an answer and reads nothing of it. @returns once the system takes no more for the client */
const leaveUnread = async (path: string): Promise<{ client: Socket; atServer: Socket }> => {
  const sockets = await send(get(path))
  sockets.client.pause()
  let written = -1
  await vi.waitFor(() => {
    const before = written
    written = sockets.atServer.bytesWritten
    expect([sockets.atServer.writableLength > 0, written]).toEqual([true, before])
  }, WAIT)
  return sockets
}

test.each(['/large', '/one-piece'])(
  '[USG-07][SESS-01] who reads a few bytes of %s now and then is hung up on, some minutes after the system took what it takes',
  async (path) => {
    const { client, atServer } = await leaveUnread(path)
    vi.advanceTimersByTime(60_000)
    client.read(1_000)
    expect(atServer.destroyed).toBe(false)
    vi.advanceTimersByTime(540_000)
    expect(atServer.destroyed).toBe(true)
  },
)

test('[USG-07][SESS-01] what the system took at once for a slow line counts, though it takes nothing for minutes then', async () => {
  const { client, atServer } = await leaveUnread('/large')
  vi.advanceTimersByTime(180_000)
  expect(atServer.destroyed).toBe(false)
  let bytes = 0
  for await (const chunk of client) if ((bytes += (chunk as Buffer).length) > CHUNKS * CHUNK_BYTES) break
  expect(bytes).toBeGreaterThan(CHUNKS * CHUNK_BYTES)
})

test.each(['/large', '/one-piece'])('[USG-07][SESS-01] who reads %s slowly and steadily gets the whole answer', async (path) => {
  const { client, atServer } = await send(get(path))
  let bytes = 0
  for await (const chunk of client) {
    const before = bytes
    bytes += (chunk as Buffer).length
    // A minute for every 4 MiB.
    if (bytes >> 22 > before >> 22) vi.advanceTimersByTime(60_000)
    if (bytes > CHUNKS * CHUNK_BYTES) break
  }
  expect(bytes).toBeGreaterThan(CHUNKS * CHUNK_BYTES)
  expect(atServer.destroyed).toBe(false)
})
