import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

/** A webhook event as it was received. */
export interface ReceivedWebhook {
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any event
  readonly event: any // oxlint-disable-line typescript/no-explicit-any
  readonly headers: IncomingHttpHeaders
  readonly path: string
}

/** A server that receives webhook events. */
export interface WebhookReceiver {
  readonly url: string
  readonly received: readonly ReceivedWebhook[]
  /** The HTTP status of its responses. */
  status: number
  /** Waits until that many events were received. */
  waitFor(count: number): Promise<readonly ReceivedWebhook[]>
  clear(): void
  close(): Promise<void>
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    const text = await readText(request)
    received.push({ text, event: JSON.parse(text), headers: request.headers, path: request.url ?? '' })
    response.writeHead(receiver.status).end()
    server.emit('received')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    status: 200,
    waitFor: async (count) => {
      while (received.length < count) await once(server, 'received')
      return received
    },
    clear: () => {
      received.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
