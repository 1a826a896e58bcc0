import type { Failure, TokenFailure } from '@counterfoil/contract/kit/http/failure'

const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'
const TIMED_OUT = 'The server took too long to answer. Try again in a moment.'
const UNKNOWN = 'Something went wrong. Try again later.'

type ErrorBody = Partial<Failure> & Partial<TokenFailure>

/** A call that did not succeed: what the server said of it, or that it said nothing. */
export class ApiError extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  /** The text to show as it stands: `userMessage`, or `error_description` of /token. */
  readonly userMessage: string | undefined
  /** What was wrong with single fields, as in `{ path: 'body.newPassword', message }`. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  readonly headers: Headers

  constructor(status: number, message: string, body: ErrorBody = {}, headers: Headers = new Headers(), cause?: unknown) {
    super(message, { cause })
    this.name = 'AskFailed'
    this.status = status
    this.userMessage = nonEmptyString(body.userMessage) ?? nonEmptyString(body.error_description)
    this.errors = Array.isArray(body.errors) ? body.errors : []
    this.headers = headers
  }
}

/** The failure that an answer with an error status tells of. Reads the body. */
export const readApiError = async (response: Response): Promise<ApiError> => {
  const text = await response.text().catch(() => '')
  const body = parseObject(text)
  const message = nonEmptyString(body.message) ?? nonEmptyString(body.error_description) ?? nonEmptyString(body.error)
  return new ApiError(response.status, message ?? `The server answered ${response.status}.`, body, response.headers)
}

/** The failure of a call that got no answer: the line was cut, or the time was up. */
const toNoResponseError = (cause: unknown): ApiError => {
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError'
  return new ApiError(0, isTimeout ? TIMED_OUT : UNREACHABLE, {}, new Headers(), cause)
}

/** What to do when an answer does not come or breaks off: the caller's own stop passes, anything else is a call without an answer. */
export const throwNoResponse =
  (signal: AbortSignal | undefined) =>
  (cause: unknown): never => {
    if (signal?.aborted === true) throw cause
    throw toNoResponseError(cause)
  }

/**
 * The words of an error for a person: its user message, else its message field, else the message inside its text,
 * else a sentence that says nothing (portal.md §8, last line).
 */
export const messageOf = (error: unknown): string => {
  if (error instanceof ApiError && error.userMessage !== undefined) return error.userMessage
  const text = nonEmptyString(error) ?? (isObject(error) ? nonEmptyString(error['message']) : undefined)
  if (text === undefined) return UNKNOWN
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return nonEmptyString(parseObject(json).message) ?? text
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const nonEmptyString = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

const parseObject = (text: string): ErrorBody => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
