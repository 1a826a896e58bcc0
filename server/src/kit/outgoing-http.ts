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

export interface HttpResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The one way out to a payment company: one request, one answer. */
export interface HttpClient {
  /** @throws Unanswered when no whole answer came */
  send(request: HttpRequest): Promise<HttpResponse>
}

/**
 * No whole answer came. `sent` is false only where it is certain that no byte of the request arrived anywhere. It never has a `code`:
 * a company's library may take one as its leave to send the order again (stripe does, whatever number of retries it was told).
 */
export class NoResponseError extends Error {
  readonly mayHaveArrived: boolean

  constructor(message: string, mayHaveArrived: boolean) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
  }
}

export interface HttpClientOptions {
  readonly timeoutMs?: number
  /** Blanks every secret of a transcript. */
  readonly scrub: (transcript: string) => string
  /** Gets each call's transcript, scrubbed. */
  readonly record: (transcript: string) => void
}

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_RESPONSE_BYTES = 4_194_304

/** A way out with a time limit; it follows no redirect and repeats nothing, so that one order is one call. */
export const createHttpClient = ({ timeoutMs = DEFAULT_TIMEOUT_MS, scrub, record }: HttpClientOptions): HttpClient => ({
  send: async (request) => {
    const startRequest = performance.now()
    const recordOutcome = (what: string): void => {
      const ms = Math.round(performance.now() - startRequest)
      record(scrub(`${request.method} ${request.url} ${request.body ?? ''}\n${what} after ${ms} ms`))
    }
    try {
      const response = await exchange(request, timeoutMs)
      recordOutcome(`${response.status} ${response.text}`)
      return response
    } catch (error) {
      recordOutcome(error instanceof NoResponseError ? error.message : 'it broke off')
      throw error
    }
  },
})

/**
 * One exchange by Node's own client. Its `fetch` costs several times as much and keeps an exchange in memory as long as its time limit
 * lasts; a payer waits for three of them.
 */
const exchange = async (request: HttpRequest, timeoutMs: number): Promise<HttpResponse> => {
  const outgoing = startRequest(request)
  const limit = setTimeout(() => outgoing.abort(), timeoutMs)
  try {
    const [response] = (await once(outgoing.request, 'response', { signal: outgoing.timeoutSignal })) as [IncomingMessage]
    const text = await readBody(response)
    if (outgoing.failure() !== null) throw outgoing.failure() // an answer of no stated length looks whole when its connection breaks
    return { status: response.statusCode ?? 0, headers: toPlainHeaders(response.headers), text }
  } catch (error) {
    if (error instanceof NoResponseError) throw error
    throw new NoResponseError(
      outgoing.timeoutSignal.aborted ? 'no answer in time' : `no answer (${errorCode(error)})`,
      outgoing.mayHaveArrived(),
    )
  } finally {
    clearTimeout(limit)
  }
}

interface OutgoingRequest {
  readonly request: ClientRequest
  /** Says when its time is up. */
  readonly timeoutSignal: AbortSignal
  abort(): void
  /** How it broke, if it did. */
  failure(): Error | null
  /** Before a connection stands, not a byte of the request has left. */
  mayHaveArrived(): boolean
}

const startRequest = (request: HttpRequest): OutgoingRequest => {
  const { sent, connectedEvent } = createRequest(request)
  const timeoutSignal = new AbortController()
  let isConnected = false
  let failure: Error | null = null
  const markConnected = (): void => {
    isConnected = true
  }
  sent.on('socket', (socket) => {
    // One that is reused, or comes through a proxy's tunnel, stands already.
    if (socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true)) socket.once(connectedEvent, markConnected)
    else markConnected()
  })
  sent.on('error', (error) => {
    failure ??= error
  })
  sent.end(request.body)
  return {
    request: sent,
    timeoutSignal: timeoutSignal.signal,
    abort: () => {
      timeoutSignal.abort()
      sent.destroy()
    },
    failure: () => failure,
    mayHaveArrived: () => isConnected,
  }
}

const createRequest = ({ method, url, headers = {} }: HttpRequest): { sent: ClientRequest; connectedEvent: string } => {
  const { ask, standing: connectedEvent } = url.startsWith('https:') ? HTTPS : HTTP
  try {
    return { sent: ask(url, { method, headers: { 'accept-encoding': 'identity', ...headers } }), connectedEvent }
  } catch (error) {
    throw new NoResponseError(`no request (${errorCode(error)})`, false)
  }
}

/** How each protocol asks, and by which event its connection stands: over TLS when it is known who is there. */
const HTTP = { ask: askPlain, standing: 'connect' }
const HTTPS = { ask: askOverTls, standing: 'secureConnect' }

const toPlainHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))

const readBody = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new NoResponseError('the answer is too large', true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
