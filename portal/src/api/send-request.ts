import { type Endpoint, pathOf } from '@counterfoil/contract/kit/http/endpoint'
import { answerLost, failureOf } from './api-error.ts'

/** portal.md §7: a request may take five minutes until it is answered. An answer in pieces may take so long between two of them. */
const SILENCE_MS = 300_000
const NO_CONTENT = 204

type Fields = Readonly<Record<string, unknown>>

/** What a request carries, before the contract gives it types. */
export interface Parts {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Fields
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
export const send = async (call: Endpoint, { params, query = {}, body, headers, signal, keepalive = false }: Parts): Promise<Response> => {
  const address = new URL(pathOf(call, params), location.origin)
  address.search = searchOf(query).toString()
  const limit = new AbortController()
  const heard = within(limit)
  const request: RequestInit = {
    method: call.method,
    headers: { accept: 'application/json, */*;q=0.5', ...typeOf(call, body), ...headers },
    credentials: 'same-origin',
    signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    keepalive,
    ...(body === undefined ? {} : { body: encoded(call, body) }),
  }
  const answer = await heard(fetch(address, request)).catch(answerLost(signal))
  if (!answer.ok) throw await failureOf(answer)
  // A browser may show a body, which never has a piece, where there is none; an answer of this status cannot be made with one.
  if (answer.body === null || answer.status === NO_CONTENT) return answer
  return new Response(pieceByPiece(answer.body, heard), answer)
}

/** Waits for something that is on its way, for a time; then the request is ended. */
type Heard = <T>(coming: Promise<T>) => Promise<T>

const within =
  (limit: AbortController): Heard =>
  async (coming) => {
    const timer = setTimeout(() => limit.abort(new DOMException('Nothing came for too long.', 'TimeoutError')), SILENCE_MS)
    try {
      return await coming
    } finally {
      clearTimeout(timer)
    }
  }

/** A body, each piece of which may take its time to come; whoever reads it may take all the time there is. */
const pieceByPiece = (body: ReadableStream<Uint8Array<ArrayBuffer>>, heard: Heard): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  return new ReadableStream(
    {
      pull: async (to) => {
        const { done, value } = await heard(reader.read())
        if (done) to.close()
        else to.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const searchOf = (fields: Fields): URLSearchParams => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) search.append(name, String(value))
  }
  return search
}

const typeOf = (call: Endpoint, body: unknown): Record<string, string> => {
  // A form names its own type: fetch adds it for URLSearchParams.
  if (body === undefined || call.form === true) return {}
  return { 'content-type': 'application/json' }
}

const encoded = (call: Endpoint, body: unknown): string | URLSearchParams =>
  call.form === true && isFields(body) ? searchOf(body) : JSON.stringify(body)

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
