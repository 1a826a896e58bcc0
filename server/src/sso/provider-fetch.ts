import { isSafeUrl } from './loopback.ts'

/** The time limit of a response, to its last byte. */
export const PROVIDER_TIMEOUT_SECONDS = 5

/** Metadata, keys and tokens are a few kilobytes. */
const MAX_RESPONSE_BYTES = 512 * 1_024

interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/**
 * Sends requests to identity providers: over https, or to this machine; with limits of time and size; without following redirects.
 * @throws TypeError as fetch does, and for a response that is too large; DOMException TimeoutError
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

/** Reads the whole body of a response. @throws TypeError above MAX_RESPONSE_BYTES */
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
