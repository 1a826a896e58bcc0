import type { Failure } from '@counterfoil/contract/kit/http/failure'

/** OAuth's own error words, spoken by /token and /revoke alone. */
export type OAuthError = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type' | 'temporarily_unavailable'

interface ApiErrorParts {
  readonly errors?: Failure['errors']
  /** What the screen shows as it stands, where that is a text of somebody else: a payment company's reason. */
  readonly userMessage?: string
  readonly oauth?: OAuthError
  /** Seconds until the same call may be made again. */
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An expected no: thrown anywhere, answered by the error door alone.
 * `message` is a sentence that the person reading it can act on, and holds nobody's data.
 */
export class ApiError extends Error {
  readonly status: number
  readonly parts: ApiErrorParts

  constructor(status: number, message: string, parts: ApiErrorParts = {}) {
    super(message)
    this.status = status
    this.parts = parts
  }
}

/** The same for what does not exist, what belongs to somebody else and what is switched off. */
export const notFound = (): ApiError => new ApiError(404, 'There is nothing at this address.')

/** The request names a value that cannot be accepted; `path` is the field, as in body.newPassword. */
export const invalidInput = (path: string, message: string): ApiError => new ApiError(400, message, { errors: [{ path, message }] })

/** The body is of a type that the call does not read. */
export const unsupportedMediaType = (): ApiError => new ApiError(415, 'The request has a content type that this call does not take.')

/** Nobody, or nobody any more, is signed in. */
export const unauthorized = (): ApiError => new ApiError(401, 'Please sign in.')

/** A person running the program gave it something it cannot work with; printed without a stack. */
export class OperatorError extends Error {}
