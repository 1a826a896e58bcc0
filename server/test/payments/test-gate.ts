import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What stands between the server and the sandbox, and does something before chosen calls are passed on. */
export interface ProviderGate {
  readonly url: string
  /** Runs `work` once, at the first call of that path; this call and all that come meanwhile are passed on when it is done. */
  stopAt(path: string, work: () => Promise<unknown>): void
  close(): void
}

const toHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !/^(host|connection|content-length|transfer-encoding)$/.test(name) ? [[name, value]] : [],
    ),
  )

/** @param target the sandbox's URL */
export const openProviderGate = async (target: string): Promise<ProviderGate> => {
  let stop: { readonly path: string; readonly work: () => Promise<unknown>; done?: Promise<unknown> } | null = null
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const body = await buffer(incoming)
    if (stop !== null && path.endsWith(stop.path)) {
      stop.done ??= stop.work()
      await stop.done
    }
    const answer = await fetch(target + path, { method, headers: toHeaders(headers), ...(method === 'GET' ? {} : { body }) })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopAt: (path, work) => {
      stop = { path, work }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
