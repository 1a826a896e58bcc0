import { type Endpoint, pathOf } from '@counterfoil/contract/kit/http/endpoint'
import { throwNoResponse, readApiError } from './api-error.ts'

/** portal.md §7: a request may take five minutes until it is answered. An answer in pieces may take so long between two of them. */
const IDLE_TIMEOUT_MS = 300_000
const NO_CONTENT = 204

type FieldValues = Readonly<Record<string, unknown>>

/** What a request carries, before the contract gives it types. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: FieldValues
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean
}

/**
 * Sends one request to the product's server; the only place that calls fetch.
 *
 * Absent and null query values are left out. A body goes as JSON, or as a form where the call says so.
 *
 * @returns the answer, when its status is a good one
 * @throws AskFailed with the server's status and words, or with status 0 when no answer came
 * @throws DOMException AbortError when the caller's signal ended it
 */
export const sendRequest = async (
  endpoint: Endpoint,
  { params, query = {}, body, headers, signal, keepalive = false }: RequestParts,
): Promise<Response> => {
  const address = new URL(pathOf(endpoint, params), location.origin)
  address.search = toSearchParams(query).toString()
  const timeout = new AbortController()
  const withTimeout = timeoutWith(timeout)
  const request: RequestInit = {
    method: endpoint.method,
    headers: { accept: 'application/json, */*;q=0.5', ...contentTypeHeader(endpoint, body), ...headers },
    credentials: 'same-origin',
    signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    keepalive,
    ...(body === undefined ? {} : { body: encodeBody(endpoint, body) }),
  }
  const response = await withTimeout(fetch(address, request)).catch(throwNoResponse(signal))
  if (!response.ok) throw await readApiError(response)
  // A browser may show a body, which never has a piece, where there is none; an answer of this status cannot be made with one.
  if (response.body === null || response.status === NO_CONTENT) return response
  return new Response(readWithTimeout(response.body, withTimeout), response)
}

/** Waits for something that is on its way, for a time; then the request is ended. */
type WithTimeout = <T>(promise: Promise<T>) => Promise<T>

const timeoutWith =
  (timeout: AbortController): WithTimeout =>
  async (promise) => {
    const timer = setTimeout(() => timeout.abort(new DOMException('Nothing came for too long.', 'TimeoutError')), IDLE_TIMEOUT_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

/** A body, each piece of which may take its time to come; whoever reads it may take all the time there is. */
const readWithTimeout = (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  withTimeout: WithTimeout,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await withTimeout(reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const toSearchParams = (fields: FieldValues): URLSearchParams => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) search.append(name, String(value))
  }
  return search
}

const contentTypeHeader = (endpoint: Endpoint, body: unknown): Record<string, string> => {
  // A form names its own type: fetch adds it for URLSearchParams.
  if (body === undefined || endpoint.form === true) return {}
  return { 'content-type': 'application/json' }
}

const encodeBody = (endpoint: Endpoint, body: unknown): string | URLSearchParams =>
  endpoint.form === true && isFieldValues(body) ? toSearchParams(body) : JSON.stringify(body)

const isFieldValues = (value: unknown): value is FieldValues => typeof value === 'object' && value !== null
