import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limitSockets } from './socket-limits.ts'

/** How long a client may take to send the headers of a request, and a whole request. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** After so long without a byte either way a client is taken for gone: a download that it no longer reads would keep its query for ever. */
const STALLED_TIMEOUT_MS = 120_000
/** Longer than proxies keep a connection that nobody uses, so that they close it and never send a request into a closing one. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** How many requests may wait on one socket until those before them are answered. Browsers and proxies send none ahead. */
const MAX_PIPELINED = 16

/** Creates the HTTP servers of one app: the sockets of all of them are bounded together, and each socket has one request worked on at a time. */
export const httpServerFactory = (trustedProxies: readonly string[]): ((handle: RequestListener) => Server) => {
  const watchSockets = limitSockets(trustedProxies)
  return (handle) => {
    const server = createServer(
      { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: HEADERS_TIMEOUT_MS / 2 },
      inTurn(handle),
    )
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
    server.setTimeout(STALLED_TIMEOUT_MS)
    watchSockets(server)
    return server
  }
}

/**
 * Works on a socket's requests one after the other: the next one begins when the answer before it has left for the client. Node begins
 * all that arrive in one packet and holds their answers, so that who sends many and reads nothing would make the server hold them all.
 */
const inTurn = (handle: RequestListener): RequestListener => {
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>()
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else begin(...next)
    })
    handle(request, response)
  }
  return (request, response) => {
    const { socket } = request
    const queue = waiting.get(socket)
    if (queue === undefined) {
      waiting.set(socket, [])
      begin(request, response)
    } else if (queue.length < MAX_PIPELINED) queue.push([request, response])
    else socket.destroy()
  }
}
