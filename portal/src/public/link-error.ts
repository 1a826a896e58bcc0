import { ApiError, messageOf } from '../api/call-api.ts'

/** Why a password could not be set by a mailed link: an error of the field, or of the form. */
export interface LinkError {
  readonly field?: string
  readonly form?: string
  /** The link cannot be used any more: the user needs a new mail. */
  readonly isExpired?: true
}

/**
 * The error to show: the server's message for the field, else `expiredText` (RST-01, REG-01). Of a server that was not reached or asks to
 * wait, its own message, because the link may still be valid.
 */
export const toLinkError = (failure: unknown, expiredText: string): LinkError => {
  if (!(failure instanceof ApiError) || isTemporary(failure)) return { form: messageOf(failure) }
  if (failure.status !== 400) return { form: expiredText }
  const field = failure.errors.find(({ path }) => path === 'body.password')?.message
  return field === undefined ? { form: expiredText, isExpired: true } : { field }
}

const TOO_MANY_REQUESTS = 429
const UNAVAILABLE = 503

/** Whether the link may still be valid: the server was not reached, asks to wait, or is not available. */
const isTemporary = ({ status, code }: ApiError): boolean =>
  status === 0 || status === TOO_MANY_REQUESTS || (status === UNAVAILABLE && code !== undefined)
