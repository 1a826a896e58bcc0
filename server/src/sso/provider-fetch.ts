import { isSafeUrl } from './loopback.ts'

/** How long one answer of a provider may take, to its last byte. */
export const PROVIDER_TIMEOUT_SECONDS = 5

/** Longer answers are none: a description, a set of keys and a token are a few kilobytes. */
const MAX_RESPONSE_BYTES = 512 * 1_024

interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/**
 * The way out to identity providers: https, or this very machine; bounded in time and length; no redirect is followed.
 * @throws TypeError as fetch does, and for an answer that is too long; DOMException TimeoutError
 */
export const providerFetch = async (url: string, { method, headers, body, signal }: FetchInit): Promise<Response> => {
  if (!isSafeUrl(url)) throw new TypeError('a provider is asked over https alone')
  const timeout = AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1_000)
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as string | URLSearchParams }),
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
  const bytes = await readBoundedBody(response)
  return new Response(bytes.length === 0 ? null : bytes, { status: response.status, headers: response.headers })
}

const readBoundedBody = async (response: Response): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_RESPONSE_BYTES) throw new TypeError('the answer of a provider is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
