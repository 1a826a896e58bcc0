import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { Endpoint, RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { ApiError, throwNoResponse } from './api-error.ts'
import { refreshAccessToken, endSession } from './refresh-token.ts'
import { type RequestParts, sendRequest } from './send-request.ts'
import { currentCustomerId, storedAuth } from './session.ts'

export { ApiError, messageOf, ShownError } from './api-error.ts'

interface RequestOptions {
  /** Aborts the request; TanStack Query passes one to each query. */
  readonly signal?: AbortSignal
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The input of an endpoint: its params, query and body; optional when it takes none of them. */
export type CallArguments<E extends Endpoint> =
  unknown extends RequestInput<E> ? [input?: RequestOptions] : [input: RequestInput<E> & RequestOptions]

/** A file that an endpoint returned. */
export interface DownloadedFile {
  readonly blob: Blob
  /** The file name from the server; empty without one. */
  readonly name: string
}

/** A response whose body is read while it arrives. */
export interface StreamedResponse {
  readonly headers: Headers
  /** The file name from the server; empty without one. */
  readonly name: string
  /** The chunks of the body; throws as `callApi` does when the connection breaks. */
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/**
 * Calls an endpoint of the contract and returns its JSON body.
 *
 * Endpoints with a session get the access token and the chosen customer. On a 401 the token is refreshed once, and the
 * request is sent again (SESS-02).
 *
 * @returns the body; undefined for an empty one
 * @throws ApiError with the server's status and message, or with status 0 without a response
 * @throws DOMException AbortError when `signal` aborts the request
 */
export const callApi = async <E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<ResponseBody<E>> => {
  const request = toRequest(input)
  const response = await sendAuthorized(endpoint, request)
  const body = await response.text().then(parseJson).catch(throwNoResponse(request.signal))
  return body
}

/** Calls an endpoint and returns its file, held in memory. Throws as `callApi` does. */
export const fetchFile = async <E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<DownloadedFile> => {
  const request = toRequest(input)
  const response = await sendAuthorized(endpoint, request)
  const blob = await response.blob().catch(throwNoResponse(request.signal))
  return { blob, name: fileName(response.headers.get('content-disposition') ?? '') }
}

/** Calls an endpoint whose file is too big for memory, and returns before the body has arrived. Throws as `callApi` does. */
export const fetchStream = async <E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<StreamedResponse> => {
  const request = toRequest(input)
  const response = await sendAuthorized(endpoint, request)
  return {
    headers: response.headers,
    name: fileName(response.headers.get('content-disposition') ?? ''),
    chunks: readChunks(response, request.signal),
  }
}

const toRequest = (input: RequestParts | undefined): RequestParts => input ?? {}

/** Reads a body in chunks, because not every browser can iterate over one. Breaking out of the loop cancels the rest. */
const readChunks = async function* (response: Response, signal: AbortSignal | undefined) {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(throwNoResponse(signal))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The value of a JSON text; undefined for an empty text. Throws for one that is not JSON. */
const parseJson = (text: string) => (text === '' ? undefined : JSON.parse(text))

/**
 * Sends a request with the session's access token, and once more with a new one after a 401. A public endpoint gets no token.
 * Without a stored token nothing is sent: the session ends, which throws.
 */
const sendAuthorized = async (endpoint: Endpoint, request: RequestParts): Promise<Response> => {
  if (endpoint.access === 'public') return sendRequest(endpoint, request)
  const token = storedAuth()?.access_token
  if (token === undefined) return endSession()
  try {
    return await sendRequest(endpoint, { ...request, headers: { ...request.headers, ...authHeaders(token) } })
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status !== 401) throw failure
    return sendRequest(endpoint, { ...request, headers: { ...request.headers, ...authHeaders(await refreshAccessToken(token)) } })
  }
}

/** Request headers: the access token, and the id of the chosen customer when one is chosen. */
const authHeaders = (token: string): Record<string, string> => {
  const customer = currentCustomerId()
  return { authorization: `Bearer ${token}`, ...(customer === null ? {} : { [CUSTOMER_HEADER]: String(customer) }) }
}

/**
 * The file name in a Content-Disposition header (RFC 6266), the encoded form first; empty without one.
 * Slashes and control characters become underscores.
 */
const fileName = (disposition: string): string => {
  const encoded = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  const name = decodeComponent(encoded) ?? plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
  return name.replaceAll(/[/\\\p{Cc}]/gu, '_')
}

/** Percent-decoded; undefined for undefined and for a malformed text. */
const decodeComponent = (encoded: string | undefined): string | undefined => {
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
