import { ApiError, messageOf } from '../api/call-api.ts'

/** What went wrong with a password that a mailed link sets, where it is shown: beside the field, or over the form. */
export interface LinkError {
  readonly field?: string
  readonly form?: string
  /** Only another mail helps. */
  readonly isExpired?: true
}

/**
 * The refusal of a password: the server's words for the field, and for a link that is over the specified text (payments.md §8).
 * @param expiredText that text
 */
export const toLinkError = (failure: unknown, expiredText: string): LinkError => {
  if (!(failure instanceof ApiError) || failure.status !== 400) return { form: messageOf(failure) }
  const field = failure.errors.find(({ path }) => path === 'body.password')?.message
  return field === undefined ? { form: expiredText, isExpired: true } : { field }
}
