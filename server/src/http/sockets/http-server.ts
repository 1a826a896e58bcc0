import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Exchange } from './exchange.ts'
import { SlowClients } from './slow-clients.ts'
import { limitSockets } from './socket-limits.ts'

/** How long a client may take to send the headers of a request, and a whole request, however much it sends. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than proxies keep a connection that nobody uses, so that they close it and never send a request into a closing one. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const SLOW_CLIENTS_CHECK_MS = 2_500
/** How many requests may wait on one socket until those before them are answered. Browsers and proxies send none ahead. */
const MAX_PIPELINED = 16
/** A socket on which there is no request. */
const IDLE: Pick<Exchange, 'rate'> = { rate: 0 }

/**
 * Creates the HTTP servers of one app. Their sockets are bounded together; each socket has one request worked on at a time, and is closed
 * when its client sends or reads too slowly.
 * @param admit whether to work on a request whose turn has come; answers it otherwise
 */
export const httpServerFactory = (
  trustedProxies: readonly string[],
  admit: (request: IncomingMessage, response: ServerResponse) => boolean,
): ((handle: RequestListener) => Server) => {
  const current = new WeakMap<Socket, Exchange>()
  const slowClients = new SlowClients((socket) => current.get(socket))
  const admitSocket = limitSockets(trustedProxies, (socket) => (current.get(socket) ?? IDLE).rate)
  return (handle) => {
    const server = createServer(
      { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: HEADERS_TIMEOUT_MS / 2 },
      inTurn(current, (request, response) => void (admit(request, response) && handle(request, response))),
    )
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
    server.on('connection', (socket: Socket) => {
      if (admitSocket(socket)) slowClients.watch(socket)
      else socket.destroy()
    })
    const timer = setInterval(() => slowClients.check(performance.now()), SLOW_CLIENTS_CHECK_MS).unref()
    server.once('close', () => clearInterval(timer))
    return server
  }
}

/**
 * Works on a socket's requests one after the other: the next begins when the answer before has left for the client. Node begins all that
 * arrive in one packet and holds their answers, so that who sends many and reads nothing would make the server hold them all. More than
 * `MAX_PIPELINED` waiting ones close the socket.
 */
const inTurn = (current: WeakMap<Socket, Exchange>, handle: RequestListener): RequestListener => {
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>()
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    current.set(socket, new Exchange(request))
    response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (next === undefined) current.delete(socket)
      else begin(...next)
    })
    handle(request, response)
  }
  return (request, response) => {
    const { socket } = request
    if (!current.has(socket)) {
      begin(request, response)
      return
    }
    const queue = waiting.get(socket) ?? []
    waiting.set(socket, queue)
    if (queue.length < MAX_PIPELINED) queue.push([request, response])
    else socket.destroy()
  }
}
