import { ApiError, messageOf } from '../api/call-api.ts'

/** Why a password could not be set by a mailed link: an error of the field, or of the form. */
export interface LinkError {
  readonly field?: string
  readonly form?: string
  /** The link cannot be used any more: the user needs a new mail. */
  readonly isExpired?: true
}

/** The error to show: the server's message for the field, or `expiredText` for a link that cannot be used any more. */
export const toLinkError = (failure: unknown, expiredText: string): LinkError => {
  if (!(failure instanceof ApiError) || failure.status !== 400) return { form: messageOf(failure) }
  const field = failure.errors.find(({ path }) => path === 'body.password')?.message
  return field === undefined ? { form: expiredText, isExpired: true } : { field }
}
