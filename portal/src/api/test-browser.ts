import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

/** A request that the test server received. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type RequestHandler = (request: SeenRequest, response: ServerResponse) => void | Promise<void>

/** A Storage as the browser's, empty and in memory. */
const createMemoryStorage = (): Storage => {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}

/** An access token with these claims; `serial` makes it unique. */
export const accessToken = (claims: object, serial = 1): string =>
  ['head', Buffer.from(JSON.stringify(claims)).toString('base64url'), `signature${serial}`].join('.')

/**
 * Stubs the browser in Node: localStorage in memory, a `location` that records navigations, and a real HTTP server
 * that calls `handle`.
 */
export const startTestBrowser = async (handle: RequestHandler, startPath = '/usage?page=2') => {
  const requests: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    requests.push(seen)
    await handle(seen, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const visits: string[] = []
  const url = new URL(startPath, `http://127.0.0.1:${port}`)
  const location = {
    origin: url.origin,
    pathname: url.pathname,
    hash: url.hash,
    search: url.search,
    assign: (to: string) => void visits.push(to),
  }
  const localStorage = createMemoryStorage()
  vi.stubGlobal('location', location)
  vi.stubGlobal('localStorage', localStorage)

  const close = async (): Promise<void> => {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { requests, visits, localStorage, server, close }
}

export const respondWithJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
