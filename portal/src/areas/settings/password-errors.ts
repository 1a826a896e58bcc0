import { ApiError, messageOf } from '../../api/call-api.ts'

/** What the server found wrong, each beside the field that it names; the rest belongs to the whole form. */
export interface PasswordErrors {
  readonly oldPassword?: string | undefined
  readonly newPassword?: string | undefined
  readonly form?: string | undefined
}

/** Sorts a failed change by field: `body.oldPassword`, `body.newPassword`. */
export const passwordErrors = (error: unknown): PasswordErrors => {
  if (error === null) return {}
  const errors = error instanceof ApiError ? error.errors : []
  const messageFor = (field: string): string | undefined => errors.find(({ path }) => path === `body.${field}` || path === field)?.message
  const [oldPassword, newPassword] = [messageFor('oldPassword'), messageFor('newPassword')]
  return { oldPassword, newPassword, form: (oldPassword ?? newPassword) ? undefined : messageOf(error) }
}
