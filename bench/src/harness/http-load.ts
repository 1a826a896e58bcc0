import { Agent, request } from 'node:http'

export interface Call {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Client {
  /** One call over a kept-alive connection: its status, its body and how long it took, in milliseconds. */
  send(call: Call): Promise<{ status: number; body: Buffer; ms: number }>
  close(): void
}

export const client = (base: string, connections: number): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: ({ path, method = 'GET', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const begun = performance.now()
        const sent = request(new URL(path, base), { agent, method, headers }, (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts), ms: performance.now() - begun }))
        })
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** Sends the same call over and over from so many clients at once for so long. @returns milliseconds of each, and how many came a second */
export const closedLoop = async (
  sender: Client,
  call: Call,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<{ ms: number[]; perSecond: number }> => {
  const ms: number[] = []
  const begun = performance.now()
  const until = begun + seconds * 1_000
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const answer = await sender.send(call)
      if (answer.status !== 200) throw new Error(`${call.path} answered ${answer.status}: ${answer.body.toString().slice(0, 200)}`)
      ms.push(answer.ms)
    }
  }
  await Promise.all(Array.from({ length: clients }, one))
  return { ms, perSecond: ms.length / ((performance.now() - begun) / 1_000) }
}
