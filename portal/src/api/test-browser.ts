import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

/** A request as the test server saw it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answer = (seen: Seen, response: ServerResponse) => void | Promise<void>

const memory = (): Storage => {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}

/** An access token that says who is signed in; `serial` tells one from the next. */
export const accessToken = (claims: object, serial = 1): string =>
  ['head', Buffer.from(JSON.stringify(claims)).toString('base64url'), `signature${serial}`].join('.')

/**
 * What the shell needs of a browser, in Node: storage in memory, an address bar that notes where it is sent, and a real HTTP
 * server behind it that answers with `answer`.
 */
export const openBrowser = async (answer: Answer, here = '/usage?page=2') => {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    seen.push(one)
    await answer(one, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo

  const visits: string[] = []
  const address = new URL(here, `http://127.0.0.1:${port}`)
  const location = {
    origin: address.origin,
    pathname: address.pathname,
    search: address.search,
    assign: (to: string) => void visits.push(to),
  }
  const localStorage = memory()
  vi.stubGlobal('location', location)
  vi.stubGlobal('localStorage', localStorage)

  const close = async (): Promise<void> => {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return { seen, visits, localStorage, server, close }
}

/** Answers with JSON. */
export const json = (response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
