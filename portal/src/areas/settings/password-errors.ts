import { AskFailed, messageOf } from '../../api/call-api.ts'

/** What the server found wrong, each beside the field that it names; the rest belongs to the whole form. */
export interface PasswordRefusal {
  readonly oldPassword?: string | undefined
  readonly newPassword?: string | undefined
  readonly form?: string | undefined
}

/** Sorts a failed change by field: `body.oldPassword`, `body.newPassword`. */
export const refusalOf = (error: unknown): PasswordRefusal => {
  if (error === null) return {}
  const errors = error instanceof AskFailed ? error.errors : []
  const about = (field: string): string | undefined => errors.find(({ path }) => path === `body.${field}` || path === field)?.message
  const [oldPassword, newPassword] = [about('oldPassword'), about('newPassword')]
  return { oldPassword, newPassword, form: (oldPassword ?? newPassword) ? undefined : messageOf(error) }
}
