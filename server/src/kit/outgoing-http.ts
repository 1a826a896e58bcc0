import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as askPlain } from 'node:http'
import { request as askOverTls } from 'node:https'

/** A request to somebody else's server. */
interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The one way out to a payment company: one request, one answer. */
export interface Http {
  /** @throws Unanswered when no whole answer came */
  send(request: HttpRequest): Promise<HttpAnswer>
}

/**
 * No whole answer came. `sent` is false only where it is certain that no byte of the request arrived anywhere. It never has a `code`:
 * a company's library may take one as its leave to send the order again (stripe does, whatever number of retries it was told).
 */
export class Unanswered extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean) {
    super(message)
    this.sent = sent
  }
}

export interface WayOut {
  readonly timeoutMs?: number
  /** Blanks every secret of a transcript. */
  readonly scrub: (transcript: string) => string
  /** Gets each call's transcript, scrubbed. */
  readonly record: (transcript: string) => void
}

const TIMEOUT_MS = 30_000
const MOST_BYTES = 4_194_304

/** A way out with a time limit; it follows no redirect and repeats nothing, so that one order is one call. */
export const wayOut = ({ timeoutMs = TIMEOUT_MS, scrub, record }: WayOut): Http => ({
  send: async (request) => {
    const begun = performance.now()
    const told = (what: string): void => {
      const ms = Math.round(performance.now() - begun)
      record(scrub(`${request.method} ${request.url} ${request.body ?? ''}\n${what} after ${ms} ms`))
    }
    try {
      const answer = await exchanged(request, timeoutMs)
      told(`${answer.status} ${answer.text}`)
      return answer
    } catch (error) {
      told(error instanceof Unanswered ? error.message : 'it broke off')
      throw error
    }
  },
})

/**
 * One exchange by Node's own client. Its `fetch` costs several times as much and keeps an exchange in memory as long as its time limit
 * lasts; a payer waits for three of them.
 */
const exchanged = async (request: HttpRequest, timeoutMs: number): Promise<HttpAnswer> => {
  const order = begun(request)
  const limit = setTimeout(() => order.giveUp(), timeoutMs)
  try {
    const [answer] = (await once(order.sent, 'response', { signal: order.late })) as [IncomingMessage]
    const text = await limitedText(answer)
    if (order.failure() !== null) throw order.failure() // an answer of no stated length looks whole when its connection breaks
    return { status: answer.statusCode ?? 0, headers: plainHeaders(answer.headers), text }
  } catch (error) {
    if (error instanceof Unanswered) throw error
    throw new Unanswered(order.late.aborted ? 'no answer in time' : `no answer (${codeOf(error)})`, order.mayHaveArrived())
  } finally {
    clearTimeout(limit)
  }
}

interface Order {
  readonly sent: ClientRequest
  /** Says when its time is up. */
  readonly late: AbortSignal
  giveUp(): void
  /** How it broke, if it did. */
  failure(): Error | null
  /** Before a connection stands, not a byte of the request has left. */
  mayHaveArrived(): boolean
}

const begun = (request: HttpRequest): Order => {
  const { sent, standing } = made(request)
  const late = new AbortController()
  let hasStood = false
  let failure: Error | null = null
  const stands = (): void => {
    hasStood = true
  }
  sent.on('socket', (socket) => {
    // One that is reused, or comes through a proxy's tunnel, stands already.
    if (socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true)) socket.once(standing, stands)
    else stands()
  })
  sent.on('error', (error) => {
    failure ??= error
  })
  sent.end(request.body)
  return {
    sent,
    late: late.signal,
    giveUp: () => {
      late.abort()
      sent.destroy()
    },
    failure: () => failure,
    mayHaveArrived: () => hasStood,
  }
}

const made = ({ method, url, headers = {} }: HttpRequest): { sent: ClientRequest; standing: string } => {
  const { ask, standing } = url.startsWith('https:') ? OVER_TLS : PLAIN
  try {
    return { sent: ask(url, { method, headers: { 'accept-encoding': 'identity', ...headers } }), standing }
  } catch (error) {
    throw new Unanswered(`no request (${codeOf(error)})`, false)
  }
}

/** How each protocol asks, and by which event its connection stands: over TLS when it is known who is there. */
const PLAIN = { ask: askPlain, standing: 'connect' }
const OVER_TLS = { ask: askOverTls, standing: 'secureConnect' }

const plainHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))

const limitedText = async (answer: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MOST_BYTES) throw new Unanswered('the answer is too large', true)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
