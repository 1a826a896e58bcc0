import type { Fields } from './fields.ts'

/** An answer with `resultCode` "Error". */
export class AuthorizeError extends Error {
  readonly code: string
  /** What the response holds beside its messages. */
  readonly body: Fields

  constructor(code: string, text: string, body: Fields = {}) {
    super(text)
    this.code = code
    this.body = body
  }
}

/** The error E00040 of a record that the account does not have; a value, not thrown here. */
export const notFound = (text = 'The record cannot be found.'): AuthorizeError => new AuthorizeError('E00040', text)

/** The error E00001, after which the outcome of the request is not known. */
export const internalError = (): AuthorizeError => new AuthorizeError('E00001', 'An error occurred during processing. Please try again.')

/** The error E00053, after which nothing was done. */
export const busyError = (): AuthorizeError =>
  new AuthorizeError('E00053', 'The server is currently too busy to respond to your request. Please try again later.')

/** The error E00027 of a transaction or validation that was not approved; `body` is what the response holds beside its messages. */
export const unsuccessfulError = (text = 'The transaction was unsuccessful.', body: Fields = {}): AuthorizeError =>
  new AuthorizeError('E00027', text, body)
