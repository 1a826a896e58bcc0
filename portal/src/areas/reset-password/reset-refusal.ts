import { AskFailed, messageOf } from '../../shell/api.ts'

/** What went wrong, where it is shown: beside the field, or over the form. */
export interface ResetRefusal {
  readonly field?: string
  readonly form?: string
  /** Only another mail helps. */
  readonly isExpired?: true
}

const EXPIRED = 'Your change password session has expired. Please try again.'

/** The refusal of a new password: the server's words for the field, the specified text for a link that is over (payments.md §8). */
export const refusalOf = (failure: unknown): ResetRefusal => {
  if (!(failure instanceof AskFailed) || failure.status !== 400) return { form: messageOf(failure) }
  const field = failure.errors.find(({ path }) => path === 'body.password')?.message
  return field === undefined ? { form: EXPIRED, isExpired: true } : { field }
}
