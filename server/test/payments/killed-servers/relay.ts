import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What stands before several servers, of which some may just be dead. */
export interface Relay {
  readonly url: string
  /** The servers that live. */
  setServers(addresses: readonly string[]): void
  /** How the webhooks fared. */
  readonly webhooks: Readonly<Record<WebhookFate, number>>
  /** Resolves once no late webhook waits. */
  close(): Promise<void>
}

const FATES = ['passed', 'lost', 'twice', 'late'] as const
type WebhookFate = (typeof FATES)[number]

interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Passes a request on; rejects when the server dies before it has answered. */
const passOn = (address: string, { method, path, headers, body }: ReceivedRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, address), { method, headers, agent: false })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end(body)
  })

/** The stand-ins name their accounts; the server wants the reseller's number, which is in the name. */
const toHookPath = (path: string): string => path.replace(/[^/]*?(\d+)[^/\d]*$/, '$1')

/**
 * Spreads requests over several servers, as a load balancer does, and cuts those off whose server dies. Of the webhooks some are lost,
 * some come twice, some many seconds late.
 */
export const openRelay = async (): Promise<Relay> => {
  let servers: readonly string[] = []
  const webhooks: Record<WebhookFate, number> = { passed: 0, lost: 0, twice: 0, late: 0 }
  const late = new Set<Promise<unknown>>()
  const anyServer = (): string => servers[randomInt(Math.max(1, servers.length))] ?? 'http://127.0.0.1:1'
  // The provider hears no answer where a server is dead, and its own retries are its business.
  const deliver = (hook: ReceivedRequest) =>
    passOn(anyServer(), hook).then(
      (answer) => answer.resume(),
      () => undefined,
    )

  const relayWebhook = async (received: ReceivedRequest, response: ServerResponse): Promise<void> => {
    const hook = { ...received, path: toHookPath(received.path) }
    const fate = FATES[randomInt(FATES.length)] ?? 'passed'
    webhooks[fate] += 1
    response.writeHead(200).end()
    if (fate === 'late') {
      const waiting = new Promise((resolve) => setTimeout(resolve, randomInt(2_000, 8_000))).then(() => deliver(hook))
      late.add(waiting)
      await waiting.finally(() => late.delete(waiting))
    } else if (fate !== 'lost') await Promise.all(Array.from({ length: fate === 'twice' ? 2 : 1 }, () => deliver(hook)))
  }

  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const received = { method, path, headers, body: await buffer(incoming) }
    if (path.startsWith('/hooks/')) return relayWebhook(received, response)
    try {
      const answer = await passOn(anyServer(), received)
      const body = await buffer(answer)
      response.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? 'text/plain' }).end(body)
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setServers: (addresses) => {
      servers = addresses
    },
    webhooks,
    close: async () => {
      await Promise.all(late)
      server.closeAllConnections()
      server.close()
    },
  }
}
