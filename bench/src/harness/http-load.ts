import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface HttpCall {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpClient {
  /** Sends one request over a keep-alive connection; `ms` is the time until the whole response was there. */
  send(call: HttpCall): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer; ms: number }>
  close(): void
}

export const openClient = (baseUrl: string, connections: number): HttpClient => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: ({ path, method = 'GET', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now()
        const outgoing = request(new URL(path, baseUrl), { agent, method, headers }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
              ms: performance.now() - startedAt,
            }),
          )
        })
        outgoing.on('error', reject)
        outgoing.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/**
 * Sends the same request repeatedly from `clients` concurrent clients for `seconds`, or each client one of several in turn.
 * @returns the milliseconds of each request, and the requests per second
 * @throws Error on a response other than 200
 */
export const runClosedLoop = async (
  client: HttpClient,
  calls: HttpCall | readonly HttpCall[],
  { clients, seconds }: { clients: number; seconds: number },
): Promise<{ ms: number[]; perSecond: number }> => {
  const ms: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  const runClient = async (call: HttpCall): Promise<void> => {
    while (performance.now() < endsAt) {
      const response = await client.send(call)
      if (response.status !== 200) throw new Error(`${call.path} answered ${response.status}: ${response.body.toString().slice(0, 200)}`)
      ms.push(response.ms)
    }
  }
  const choice = [calls].flat()
  await Promise.all(Array.from({ length: clients }, (_, at) => runClient(choice[at % choice.length] as HttpCall)))
  return { ms, perSecond: ms.length / ((performance.now() - startedAt) / 1_000) }
}
