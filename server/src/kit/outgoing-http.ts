import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** Says whether a request may still be sent. */
export interface SendPermit {
  isValid(): boolean
}

/** A request to a payment provider. */
interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Asked as the request is written to the connection; one that may not be sent any more is not. Without it, it always may. */
  readonly permit?: SendPermit | undefined
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Sends requests to payment providers: one request, one response. */
export interface HttpClient {
  /** @throws NoResponseError when no complete response arrived */
  send(request: HttpRequest): Promise<HttpResponse>
}

/**
 * No complete response arrived. `mayHaveArrived` is false only when certainly no byte of the request was sent. It never has a `code`: a
 * provider's library may take one as a reason to send the request again (one does, whatever its number of retries).
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
  /** Removes every secret from a transcript. */
  readonly scrub: (transcript: string) => string
  /** Receives each request's transcript, without secrets. */
  readonly record: (transcript: string) => void
}

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_RESPONSE_BYTES = 4_194_304

/**
 * Creates an HTTP client with a time limit. It follows no redirects and never retries, so that one order is one request.
 * Each request's transcript is scrubbed and recorded.
 */
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
 * Sends one request by node:http and reads the response of any status. @throws NoResponseError without a complete one
 * `fetch` takes several times as long and keeps a request in memory until its time limit, and a payment waits for three of them.
 */
const exchange = async (request: HttpRequest, timeoutMs: number): Promise<HttpResponse> => {
  const outgoing = startRequest(request)
  const limit = setTimeout(() => outgoing.abort(), timeoutMs)
  try {
    const [response] = (await once(outgoing.request, 'response', { signal: outgoing.timeoutSignal })) as [IncomingMessage]
    const text = await readBody(response)
    if (outgoing.failure() !== null) throw outgoing.failure() // a response without content-length looks complete when its connection breaks
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
  /** Aborted when the time limit has passed. */
  readonly timeoutSignal: AbortSignal
  abort(): void
  /** The connection's error, if any. */
  failure(): Error | null
  /** Before it is written, no byte of the request was sent. */
  mayHaveArrived(): boolean
}

/**
 * Opens a request and writes it once the connection stands, if its permit is valid then.
 * Before, it would lie in a buffer, and be sent however late that is emptied.
 */
const startRequest = (request: HttpRequest): OutgoingRequest => {
  const { clientRequest, connectedEvent } = createRequest(request)
  const timeoutSignal = new AbortController()
  let isWritten = false
  let failure: Error | null = null
  const write = (): void => {
    if (request.permit?.isValid() === false) {
      clientRequest.destroy(new NoResponseError('it was too late to send it', false))
      return
    }
    isWritten = true
    clientRequest.end(request.body)
  }
  clientRequest.on('socket', (socket) => {
    // A reused socket, or one through a proxy's tunnel, is connected already.
    if (socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true)) socket.once(connectedEvent, write)
    else write()
  })
  clientRequest.on('error', (error) => {
    failure ??= error
  })
  return {
    request: clientRequest,
    timeoutSignal: timeoutSignal.signal,
    abort: () => {
      timeoutSignal.abort()
      clientRequest.destroy()
    },
    failure: () => failure,
    mayHaveArrived: () => isWritten,
  }
}

/** Opens the request over http or https, without writing it. @throws NoResponseError for an unusable URL or header */
const createRequest = ({ method, url, headers = {} }: HttpRequest): { clientRequest: ClientRequest; connectedEvent: string } => {
  const { request, connectedEvent } = url.startsWith('https:') ? HTTPS : HTTP
  try {
    return { clientRequest: request(url, { method, headers: { 'accept-encoding': 'identity', ...headers } }), connectedEvent }
  } catch (error) {
    throw new NoResponseError(`no request (${errorCode(error)})`, false)
  }
}

/** The request function of each protocol, and the event that says that the connection is established (with TLS: authenticated). */
const HTTP = { request: httpRequest, connectedEvent: 'connect' }
const HTTPS = { request: httpsRequest, connectedEvent: 'secureConnect' }

/** The headers of a response as texts; several values of one name are joined with commas. */
const toPlainHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))

/** Reads the whole body of a response as UTF-8. @throws NoResponseError above MAX_RESPONSE_BYTES */
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

/** The code of a system error, such as `ECONNREFUSED`; `unknown` without a code. */
const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
