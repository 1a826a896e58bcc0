import type { ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import type { Failure, TokenFailure } from '@counterfoil/contract/kit/http/failure'

const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'
const TIMED_OUT = 'The server took too long to answer. Try again in a moment.'
const UNKNOWN = 'Something went wrong. Try again later.'

type ErrorBody = Partial<Failure> & Partial<TokenFailure>

/** An error whose message is a sentence for the person at the screen. The text of any other error is for the console only. */
export class ShownError extends Error {}

/** A request that failed: with the server's error response, or without any response. */
export class ApiError extends ShownError {
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** Which refusal it is; undefined without a response, or when it is not our server's. */
  readonly code: ErrorCode | undefined
  /** The text to show: `userMessage`, or `error_description` of /token. */
  readonly userMessage: string | undefined
  /** Errors of single fields, such as `{ path: 'body.newPassword', message }`. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  /** The payment that stands in the way of one. */
  readonly payment: Failure['payment']
  readonly headers: Headers

  constructor(status: number, message: string, body: ErrorBody = {}, headers: Headers = new Headers(), cause?: unknown) {
    super(message, { cause })
    this.name = 'ApiError'
    this.status = status
    this.code = body.code
    this.userMessage = nonEmptyString(body.userMessage) ?? nonEmptyString(body.error_description)
    this.errors = Array.isArray(body.errors) ? body.errors : []
    this.payment = body.payment
    this.headers = headers
  }

  /** The connection broke before a response came. A request that timed out is not lost: asking again would double the wait. */
  get isConnectionLost(): boolean {
    return this.status === 0 && !isTimeout(this.cause)
  }
}

/** Makes the error to throw from a response with an error status. A body without a message gives a generic one; nothing is thrown here. */
export const readApiError = async (response: Response): Promise<ApiError> => {
  const text = await response.text().catch(() => '')
  const body = parseObject(text)
  const message = nonEmptyString(body.message) ?? nonEmptyString(body.error_description) ?? nonEmptyString(body.error)
  return new ApiError(response.status, message ?? `The server answered ${response.status}.`, body, response.headers)
}

/** The ApiError with status 0 of a request without a response: the connection broke, or it timed out. */
const toNoResponseError = (cause: unknown): ApiError => {
  return new ApiError(0, isTimeout(cause) ? TIMED_OUT : UNREACHABLE, {}, new Headers(), cause)
}

/** A rejection handler: rethrows the caller's own abort, and turns anything else into an ApiError with status 0. */
export const throwNoResponse =
  (signal: AbortSignal | undefined) =>
  (cause: unknown): never => {
    if (signal?.aborted === true) throw cause
    throw toNoResponseError(cause)
  }

/** The text of an error to show: its user message, else its message; of one that was not written to be shown, a generic sentence. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof ShownError)) return UNKNOWN
  return (error instanceof ApiError ? error.userMessage : undefined) ?? nonEmptyString(error.message) ?? UNKNOWN
}

/** Whether a request was aborted because no response came in time. */
const isTimeout = (cause: unknown): boolean => cause instanceof DOMException && cause.name === 'TimeoutError'

/** Whether the value is an object, an array too. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The value as it is when it is a string that is not blank, else undefined. */
const nonEmptyString = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** The object in a JSON text; an empty one when the text is not JSON or no object. */
const parseObject = (text: string): ErrorBody => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
