import { ERRORS, type ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import type { Failure } from '@counterfoil/contract/kit/http/failure'

interface ApiErrorOptions {
  readonly errors?: Failure['errors']
  /** The text that the screen shows unchanged, such as a payment provider's reason. */
  readonly userMessage?: string
  /** The payment that stands in the way. */
  readonly payment?: Failure['payment']
  /** Seconds until the same request may be made again. */
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * An expected refusal: thrown anywhere, answered by the error handler alone. Its status follows from its code.
 * `message` is a sentence that its reader can act on, and contains no personal data.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly options: Omit<ApiErrorOptions, 'cause'>

  constructor(code: ErrorCode, message: string, { cause, ...options }: ApiErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = ERRORS[code].status
    this.options = options
  }
}

/** Makes the error (404) for what does not exist, belongs to another tenant or is switched off, so that nobody can tell which. */
export const notFound = (): ApiError => new ApiError('not_found', 'There is nothing at this address.')

/** Makes the error (400) for a value that cannot be accepted; `path` is the field, as in body.newPassword. Throws nothing. */
export const invalidInput = (path: string, message: string): ApiError =>
  new ApiError('invalid_input', message, { errors: [{ path, message }] })

/** Makes the error (415) for a body of a type that the endpoint does not read. Throws nothing. */
export const unsupportedMediaType = (): ApiError =>
  new ApiError('unsupported_media_type', 'The request has a content type that this call does not take.')

/** Makes the error (401) for a request without a session, or with one that has ended. Throws nothing. */
export const signInRequired = (): ApiError => new ApiError('unauthenticated', 'Please sign in.')

/** A person running the program gave it something it cannot work with; printed without a stack. */
export class OperatorError extends Error {}
