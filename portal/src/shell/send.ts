import { type Endpoint, pathOf } from '@counterfoil/contract/kit/endpoint'
import { answerLost, failureOf } from './ask-failed.ts'

/** portal.md §7: a request may take five minutes. */
const TIMEOUT_MS = 300_000

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
  const time = AbortSignal.timeout(TIMEOUT_MS)
  const request: RequestInit = {
    method: call.method,
    headers: { accept: 'application/json, */*;q=0.5', ...typeOf(call, body), ...headers },
    credentials: 'same-origin',
    signal: signal === undefined ? time : AbortSignal.any([signal, time]),
    keepalive,
    ...(body === undefined ? {} : { body: encoded(call, body) }),
  }
  const answer = await fetch(address, request).catch(answerLost(signal))
  if (!answer.ok) throw await failureOf(answer)
  return answer
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
