import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { NoResponseError, createHttpClient, type SendPermit } from './outgoing-http.ts'

const servers: Server[] = []
const open: Socket[] = []

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** Starts a server that handles each connection by `answer` once data has arrived. @returns its URL */
const createServerUrl = async (answer: (socket: Socket) => void, arrived: string[] = []): Promise<string> => {
  const server = createServer((socket) => {
    open.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      arrived.push(data.toString())
      answer(socket)
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const transcripts: string[] = []

interface SendOptions {
  readonly timeoutMs?: number
  readonly headers?: Record<string, string>
  readonly permit?: SendPermit
}

const sendTo = (url: string, { timeoutMs = 5_000, headers = {}, permit }: SendOptions = {}) =>
  createHttpClient({
    timeoutMs,
    scrub: (text) => text.replaceAll('secret', '[secret]'),
    record: (transcript) => transcripts.push(transcript),
  }).send({
    method: 'POST',
    url,
    headers,
    body: 'key=secret',
    permit,
  })

const failureOf = async (answer: Promise<unknown>): Promise<NoResponseError> => {
  const failure = await answer.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof NoResponseError)) throw new Error(`it was answered, or failed otherwise: ${String(failure)}`)
  return failure
}

test('[SP-02] an answer comes whole, and what is recorded is scrubbed', async () => {
  const url = await createServerUrl((socket) => socket.end('HTTP/1.1 200 OK\r\nX-One: 1\r\nContent-Length: 4\r\n\r\nf\u00fcn'))
  transcripts.length = 0
  expect(await sendTo(url)).toMatchObject({ status: 200, headers: { 'x-one': '1' }, text: 'f\u00fcn' })
  expect(transcripts).toEqual([expect.stringMatching(/^POST .* key=\[secret\]\n200 fün after \d+ ms$/)])
})

test('[SP-02] a redirect is returned like any response and not followed', async () => {
  const url = await createServerUrl((socket) =>
    socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
  )
  expect(await sendTo(url)).toMatchObject({ status: 302, text: '' })
})

test('[SP-02] nothing was sent where nobody listens, where no TLS is spoken, and where the request cannot be written', async () => {
  const url = await createServerUrl((socket) => socket.destroy())
  servers[0]?.close()
  await once(servers[0] as Server, 'close')
  expect(await failureOf(sendTo(url))).toMatchObject({ mayHaveArrived: false, message: 'no answer (ECONNREFUSED)' })
  const plain = await createServerUrl((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  expect((await failureOf(sendTo(plain.replace('http:', 'https:')))).mayHaveArrived).toBe(false)
  expect((await failureOf(sendTo(plain, { headers: { name: 'two\nlines' } }))).mayHaveArrived).toBe(false)
})

test.each([
  ['before it says anything', ''],
  ['in the middle of its head', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['in the middle of its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":"succeeded"}'],
  ['in the middle of its chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n16\r\n{"status":"succeeded"}\r\n'],
])('[SP-02] an answer that ends or stops %s is none, though the order may have arrived', async (_when, piece) => {
  const ending = await createServerUrl((socket) => socket.end(piece))
  expect(await failureOf(sendTo(ending))).toMatchObject({ mayHaveArrived: true, message: expect.stringMatching(/^no answer \(/) })
  const breaking = await createServerUrl((socket) => socket.write(piece, () => socket.resetAndDestroy()))
  expect((await failureOf(sendTo(breaking))).mayHaveArrived).toBe(true)
  const stopping = await createServerUrl((socket) => socket.write(piece))
  expect(await failureOf(sendTo(stopping, { timeoutMs: 60 }))).toMatchObject({ mayHaveArrived: true, message: 'no answer in time' })
})

test('[PAY-01] an order over a connection that stood before, as a proxy’s tunnel does, may have arrived', async () => {
  const arrived: string[] = []
  const url = await createServerUrl((socket) => socket.destroy(), arrived)
  const usual = http.globalAgent
  const tunnels = new http.Agent()
  tunnels.createConnection = ({ port }, handOver) => {
    const socket = connect(Number(port), '127.0.0.1', () => handOver?.(null, socket))
    return undefined
  }
  http.globalAgent = tunnels
  try {
    expect((await failureOf(sendTo(url))).mayHaveArrived).toBe(true)
  } finally {
    http.globalAgent = usual
    tunnels.destroy()
  }
  expect(arrived.join()).toContain('key=secret')
})

test('[PAY-01] an answer of no stated length whose connection breaks is none', async () => {
  const url = await createServerUrl((socket) =>
    socket.write('HTTP/1.1 200 OK\r\n\r\nstatus=paid&amo', () => setTimeout(() => socket.resetAndDestroy(), 20)),
  )
  expect(await failureOf(sendTo(url))).toMatchObject({ mayHaveArrived: true })
})

test('[SP-02] an answer without an end is refused at its limit, and one that is something else than HTTP is none', async () => {
  const endless = await createServerUrl((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = (): boolean => socket.writable && socket.write(Buffer.alloc(1_048_576, 'a'), more)
    more()
  })
  expect(await failureOf(sendTo(endless))).toMatchObject({ mayHaveArrived: true, message: 'the answer is too large' })
  const strange = await createServerUrl((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
  expect((await failureOf(sendTo(strange))).mayHaveArrived).toBe(true)
  const other = await createServerUrl((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
  )
  expect((await failureOf(sendTo(other, { timeoutMs: 500 }))).mayHaveArrived).toBe(true)
})

test('[PAY-01] a request whose time is up while its connection is made is not sent, and certainly did not arrive', async () => {
  const arrived: string[] = []
  const url = await createServerUrl((socket) => socket.destroy(), arrived)
  const usual = http.globalAgent
  const slow = new http.Agent()
  let isInTime = true
  slow.createConnection = ({ port }) => connect(Number(port), '127.0.0.1').once('connect', () => (isInTime = false))
  http.globalAgent = slow
  try {
    const late = await failureOf(sendTo(url, { permit: { isValid: () => isInTime } }))
    expect(late).toMatchObject({ mayHaveArrived: false, message: 'it was too late to send it' })
  } finally {
    http.globalAgent = usual
    slow.destroy()
  }
  expect(arrived).toEqual([])
})
