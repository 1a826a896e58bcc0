import { isSafeAddress } from './loopback.ts'

/** How long one answer of a provider may take, to its last byte. */
export const PROVIDER_SECONDS = 5

/** Longer answers are none: a description, a set of keys and a token are a few kilobytes. */
const MOST_BYTES = 512 * 1_024

interface Asked {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/**
 * The way out to identity providers: https, or this very machine; bounded in time and length; no redirect is followed.
 * @throws TypeError as fetch does, and for an answer that is too long; DOMException TimeoutError
 */
export const providerFetch = async (address: string, { method, headers, body, signal }: Asked): Promise<Response> => {
  if (!isSafeAddress(address)) throw new TypeError('a provider is asked over https alone')
  const time = AbortSignal.timeout(PROVIDER_SECONDS * 1_000)
  const answer = await fetch(address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as string | URLSearchParams }),
    redirect: 'manual',
    signal: signal === undefined ? time : AbortSignal.any([signal, time]),
  })
  const bytes = await boundedBody(answer)
  return new Response(bytes.length === 0 ? null : bytes, { status: answer.status, headers: answer.headers })
}

const boundedBody = async (answer: Response): Promise<Buffer<ArrayBuffer>> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of answer.body ?? []) {
    length += piece.length
    if (length > MOST_BYTES) throw new TypeError('the answer of a provider is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
