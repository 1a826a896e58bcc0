import { ApiError, messageOf } from '../../api/call-api.ts'

/** The errors of a rejected password change, by field; `form` for all others. */
export interface PasswordErrors {
  readonly oldPassword?: string | undefined
  readonly newPassword?: string | undefined
  readonly form?: string | undefined
}

/** Assigns an error to the fields `body.oldPassword` and `body.newPassword`, else to the form. */
export const passwordErrors = (error: unknown): PasswordErrors => {
  if (error === null) return {}
  const errors = error instanceof ApiError ? error.errors : []
  const messageFor = (field: string): string | undefined => errors.find(({ path }) => path === `body.${field}` || path === field)?.message
  const [oldPassword, newPassword] = [messageFor('oldPassword'), messageFor('newPassword')]
  return { oldPassword, newPassword, form: (oldPassword ?? newPassword) ? undefined : messageOf(error) }
}
