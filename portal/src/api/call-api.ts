import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { Endpoint, RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { PORTAL_CLIENT, signIn as calls } from '@counterfoil/contract/sign-in'
import { ApiError, throwNoResponse } from './api-error.ts'
import { refreshAccessToken, endSession } from './refresh-token.ts'
import { type RequestParts, sendRequest } from './send-request.ts'
import { type Auth, clearSession, currentCustomerId, storedAuth, storeSession } from './session.ts'

export { ApiError, messageOf } from './api-error.ts'

const CLIENT = { client_id: PORTAL_CLIENT.id, client_secret: PORTAL_CLIENT.secret } as const

const REVOKE_TIMEOUT_MS = 5_000

interface RequestOptions {
  /** Ends the request early; TanStack Query gives one to each query. */
  readonly signal?: AbortSignal
  /** Headers of this request beside those that every call carries. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a call must be given: its params, query and body by the contract; nothing where it takes none. */
export type CallArguments<E extends Endpoint> =
  unknown extends RequestInput<E> ? [given?: RequestOptions] : [given: RequestInput<E> & RequestOptions]

/** A file that a call answered with. */
export interface DownloadedFile {
  readonly blob: Blob
  /** The name that the server gave it; empty where it gave none. */
  readonly name: string
}

/** An answer that is read while it comes. */
export interface StreamedResponse {
  readonly headers: Headers
  /** The name that the server gave it; empty where it gave none. */
  readonly name: string
  /** Its bytes, piece by piece; fails as `ask` does where they break off. */
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/**
 * Makes a call of the contract and gives its JSON answer.
 *
 * A signed-in call carries the access token and the chosen customer. On a 401 the token is refreshed once, and the call made
 * once more (portal.md §4).
 *
 * @returns the answer's body; undefined for an empty answer
 * @throws AskFailed with the server's status and words, status 0 when no answer came
 * @throws DOMException AbortError when `signal` ended it
 */
export const callApi = async <E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<ResponseBody<E>> => {
  const request = toRequest(input)
  const response = await sendAuthorized(endpoint, request)
  const body = await response.text().then(parseJson).catch(throwNoResponse(request.signal))
  return body
}

/** Makes a call that answers with a file, in the same way as `ask`. */
export const fetchFile = async <E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<DownloadedFile> => {
  const request = toRequest(input)
  const response = await sendAuthorized(endpoint, request)
  const blob = await response.blob().catch(throwNoResponse(request.signal))
  return { blob, name: fileName(response.headers.get('content-disposition') ?? '') }
}

/** Makes a call that answers with a file too big to hold, in the same way as `ask`. */
export const fetchStream = async <E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<StreamedResponse> => {
  const request = toRequest(input)
  const response = await sendAuthorized(endpoint, request)
  return {
    headers: response.headers,
    name: fileName(response.headers.get('content-disposition') ?? ''),
    chunks: readChunks(response, request.signal),
  }
}

/**
 * Signs in by user name and password and keeps the session.
 * @throws AskFailed as `ask` does; `userMessage` is the server's error_description
 */
export const signIn = async (username: string, password: string): Promise<void> =>
  storeSession(await callApi(calls.token, { body: { grant_type: 'password', username, password, ...CLIENT } }))

/**
 * Signs in by the one-time code that stood in the address, and keeps the session; whose session was kept before is signed out.
 * @param redirectUri the page that received the code (decisions.md, Sign-in paths)
 * @param isSuperUser   is it a support session?
 * @throws AskFailed as `ask` does
 */
export const signInWithCode = async (code: string, redirectUri: string, isSuperUser = false): Promise<void> => {
  const response = await callApi(calls.token, { body: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...CLIENT } })
  const previous = storedAuth()
  storeSession(response, isSuperUser)
  if (previous !== null) await revoke(previous)
}

/** Ends the session: here at once, and on the server as well as can be. Opening /login is the caller's affair. */
export const signOut = async (): Promise<void> => {
  const auth = storedAuth()
  clearSession()
  if (auth !== null) await revoke(auth)
}

/** The session is gone from this browser whatever the server says. */
const revoke = async ({ refresh_token: token }: Auth): Promise<void> => {
  const request = sendRequest(calls.revoke, {
    body: { token, token_type_hint: 'refresh_token', ...CLIENT },
    signal: AbortSignal.timeout(REVOKE_TIMEOUT_MS),
    keepalive: true,
  })
  await request.catch(() => undefined)
}

const toRequest = (input: RequestParts | undefined): RequestParts => input ?? {}

/** Not every browser can walk through a body by itself. Whoever stops reading lets go of the rest of it. */
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
    // A body that has ended, or broken off, has nothing left to let go of.
    await reader.cancel().catch(() => undefined)
  }
}

const parseJson = (text: string) => (text === '' ? undefined : JSON.parse(text))

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

const authHeaders = (token: string): Record<string, string> => {
  const customer = currentCustomerId()
  return { authorization: `Bearer ${token}`, ...(customer === null ? {} : { [CUSTOMER_HEADER]: String(customer) }) }
}

/** The file's name from a Content-Disposition header (RFC 6266): the encoded form first, without any folder. */
const fileName = (disposition: string): string => {
  const encoded = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  const name = decodeComponent(encoded) ?? plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
  return name.replaceAll(/[/\\\p{Cc}]/gu, '_')
}

const decodeComponent = (encoded: string | undefined): string | undefined => {
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
