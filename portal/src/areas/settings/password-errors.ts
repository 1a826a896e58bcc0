import { ApiError, messageOf } from '../../api/call-api.ts'

/** The errors of a rejected password change, by field; `form` for all others. */
export interface PasswordErrors {
  readonly oldPassword?: string | undefined
  readonly newPassword?: string | undefined
  readonly form?: string | undefined
}

/** The server's errors at `body.oldPassword` and `body.newPassword`, by field; any other error is the form's. Nothing for null. */
export const passwordErrors = (error: unknown): PasswordErrors => {
  if (error === null) return {}
  const errors = error instanceof ApiError ? error.errors : []
  const messageFor = (field: string): string | undefined => errors.find(({ path }) => path === `body.${field}` || path === field)?.message
  const [oldPassword, newPassword] = [messageFor('oldPassword'), messageFor('newPassword')]
  return { oldPassword, newPassword, form: (oldPassword ?? newPassword) ? undefined : messageOf(error) }
}
