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
  const content = encodeBody(endpoint, body)
  const request: RequestInit = {
    method: endpoint.method,
    headers: {
      accept: 'application/json, */*;q=0.5',
      // fetch sets the content type of URLSearchParams itself.
      ...(typeof content === 'string' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    keepalive,
    body: content,
  }
  const end = (): void => aborter.abort()
  const fetched = await fetchWithTimeout(address, request, aborter).catch((cause: unknown) => {
    end()
    return throwNoResponse(signal)(cause)
  })
  // Some browsers give an empty body here, and a Response of status 204 cannot be constructed with one.
  const stream = fetched.status === NO_CONTENT ? null : fetched.body
  if (stream === null) end()
  // A response of its own, because that of an aborted request cannot be read, even where it is empty.
  const response = new Response(stream && readWithTimeout(stream, timeoutWith(aborter), end), fetched)
  if (!response.ok) throw await readApiError(response)
  return response
}

/**
 * A controller that also aborts when the given signal does, and listens to it until then: a request that has ended aborts, so that a signal
 * that outlives it keeps nothing. `AbortSignal.any` is newer than the oldest browsers (portal/browser-floor.ts).
 */
const createAborter = (signal: AbortSignal | undefined): AbortController => {
  const aborter = new AbortController()
  const abort = (): void => aborter.abort(signal?.reason)
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { signal: aborter.signal })
  return aborter
}

/** Waits for a promise; aborts the request when it takes too long. */
type WithTimeout = <T>(promise: Promise<T>) => Promise<T>

/** Sends a request that the controller can abort, and that aborts without an answer in time. */
export const fetchWithTimeout = (address: URL | string, request: RequestInit, aborter: AbortController): Promise<Response> =>
  timeoutWith(aborter)(fetch(address, { ...request, signal: aborter.signal }))

/** The time limit of what a controller can abort. */
export const timeoutWith =
  (timeout: AbortController): WithTimeout =>
  (promise) => {
    const timer = setTimeout(() => timeout.abort(new DOMException('Nothing came for too long.', 'TimeoutError')), IDLE_TIMEOUT_MS)
    return promise.finally(() => clearTimeout(timer))
  }

/** The same body, with a time limit for each chunk but none for the reader. */
const readWithTimeout = (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  withTimeout: WithTimeout,
  onEnd: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  reader.closed.then(onEnd, onEnd)
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await withTimeout(reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: onEnd,
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

const encodeBody = ({ form }: Endpoint, body: unknown): string | URLSearchParams | null => {
  if (body === undefined) return null
  return form === true ? toSearchParams(body as FieldValues) : JSON.stringify(body)
}
