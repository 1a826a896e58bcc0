import { type Endpoint, pathOf } from '@counterfoil/contract/kit/http/endpoint'
import { throwNoResponse, readApiError } from './api-error.ts'

/** How long to wait for a response, and between two chunks of its body. */
const IDLE_TIMEOUT_MS = 300_000
const NO_CONTENT = 204

type FieldValues = Readonly<Record<string, unknown>>

/** The parts of a request, without the contract's types. */
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
 * Sends one request to the server. Only this file calls fetch.
 *
 * Undefined and null query values are left out. The body is sent as JSON, or as a form where the endpoint says so.
 *
 * @returns the response, when its status is 2xx
 * @throws ApiError with the server's status and message, or with status 0 without a response
 * @throws DOMException AbortError when the caller's signal aborts the request
 */
export const sendRequest = async (
  endpoint: Endpoint,
  { params, query = {}, body, headers, signal, keepalive = false }: RequestParts,
): Promise<Response> => {
  const address = new URL(pathOf(endpoint, params), location.origin)
  address.search = toSearchParams(query).toString()
  const aborter = createAborter(signal)
  const request: RequestInit = {
    method: endpoint.method,
    headers: { accept: 'application/json, */*;q=0.5', ...contentTypeHeader(endpoint, body), ...headers },
    credentials: 'same-origin',
    keepalive,
    ...(body === undefined ? {} : { body: encodeBody(endpoint, body) }),
  }
  const response = await fetchWithTimeout(address, request, aborter).catch(throwNoResponse(signal))
  if (!response.ok) throw await readApiError(response)
  // Some browsers give an empty body here, and a Response of status 204 cannot be constructed with one.
  if (response.body === null || response.status === NO_CONTENT) return response
  return new Response(readWithTimeout(response.body, timeoutWith(aborter)), response)
}

/** A controller that also aborts when the given signal does: `AbortSignal.any` is newer than the oldest browsers (portal/browser-floor.ts). */
const createAborter = (signal: AbortSignal | undefined): AbortController => {
  const aborter = new AbortController()
  if (signal?.aborted === true) aborter.abort(signal.reason)
  signal?.addEventListener('abort', () => aborter.abort(signal.reason), { once: true })
  return aborter
}

/** Waits for a promise; aborts the request when it takes too long. */
type WithTimeout = <T>(promise: Promise<T>) => Promise<T>

/** Fetches without looking at the response's status. The controller can abort the request, and does when no response comes in time. */
export const fetchWithTimeout = (address: URL | string, request: RequestInit, aborter: AbortController): Promise<Response> =>
  timeoutWith(aborter)(fetch(address, { ...request, signal: aborter.signal }))

/** Makes a function that waits for a promise, and aborts the controller when the wait exceeds `IDLE_TIMEOUT_MS`. */
export const timeoutWith =
  (timeout: AbortController): WithTimeout =>
  async (promise) => {
    const timer = setTimeout(() => timeout.abort(new DOMException('Nothing came for too long.', 'TimeoutError')), IDLE_TIMEOUT_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

/** The same bytes as a new stream: waiting for a chunk from the server is limited in time, a slow reader is not. */
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

/** Search parameters of the fields; undefined and null ones are left out. */
const toSearchParams = (fields: FieldValues): URLSearchParams => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) search.append(name, String(value))
  }
  return search
}

/** The request's Content-Type header for a JSON body; none without a body, and none for a form, whose type fetch sets. */
const contentTypeHeader = (endpoint: Endpoint, body: unknown): Record<string, string> => {
  // fetch sets the content type of URLSearchParams itself.
  if (body === undefined || endpoint.form === true) return {}
  return { 'content-type': 'application/json' }
}

/** The request body: a form where the endpoint says so, else JSON. */
const encodeBody = (endpoint: Endpoint, body: unknown): string | URLSearchParams =>
  endpoint.form === true && isFieldValues(body) ? toSearchParams(body) : JSON.stringify(body)

const isFieldValues = (value: unknown): value is FieldValues => typeof value === 'object' && value !== null
