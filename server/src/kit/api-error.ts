import type { Failure } from '@counterfoil/contract/kit/http/failure'

/** OAuth's error codes, used by /token and /revoke only. */
export type OAuthError = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type' | 'temporarily_unavailable'

interface ApiErrorParts {
  readonly errors?: Failure['errors']
  /** Text of somebody else that the screen shows unchanged: a payment provider's reason. */
  readonly userMessage?: string
  readonly oauth?: OAuthError
  /** Seconds until the request may be repeated. */
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** An expected error, answered by the error handler. `message` is a sentence that helps the reader, and contains no personal data. */
export class ApiError extends Error {
  readonly status: number
  readonly parts: ApiErrorParts

  constructor(status: number, message: string, parts: ApiErrorParts = {}) {
    super(message)
    this.status = status
    this.parts = parts
  }
}

/** The same for what does not exist, belongs to somebody else or is switched off. */
export const notFound = (): ApiError => new ApiError(404, 'There is nothing at this address.')

/** The request contains an invalid value; `path` is the field, such as body.newPassword. */
export const invalidInput = (path: string, message: string): ApiError => new ApiError(400, message, { errors: [{ path, message }] })

/** The endpoint does not accept the body's content type. */
export const unsupportedMediaType = (): ApiError => new ApiError(415, 'The request has a content type that this call does not take.')

/** Nobody is signed in, or the session has ended. */
export const unauthorized = (): ApiError => new ApiError(401, 'Please sign in.')

/** An operator's mistake or a problem that they can solve; printed without a stack. */
export class OperatorError extends Error {}
