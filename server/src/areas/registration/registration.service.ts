import { PASSWORD_MAX_BYTES, registrationPasswordProblem } from '@counterfoil/contract/kit/password'
import { invalidInput, ApiError } from '../../kit/api-error.ts'
import { type LinkContext, type LinkDeps, setPasswordByLink } from '../password/password-link.service.ts'
import { storeFirstPassword } from './registration.queries.ts'

/** payments.md §2: one text for a token that is unknown, used or too old, and for a user who has registered already. */
const sessionExpired = (): ApiError => new ApiError('link_expired', 'Your registration session has expired. Please try again.')

/**
 * Chooses the first password of an invited user with the token of the mailed link, once. Who has a password already keeps it.
 * @throws Refusal 400 with the first rule that the password breaks; otherwise as setPasswordByLink does
 */
export const finishRegistration = async (
  deps: LinkDeps,
  context: LinkContext,
  fields: { token: string; password: string },
): Promise<void> => {
  const problem = registrationPasswordProblem(fields.password)
  if (problem !== null) throw invalidInput('body.password', problem)
  if (Buffer.byteLength(fields.password) > PASSWORD_MAX_BYTES) throw invalidInput('body.password', 'The password is too long.')
  await setPasswordByLink(deps, context, fields, {
    kind: 'registration',
    expired: sessionExpired,
    store: async (db, chosen, now) => {
      if (!(await storeFirstPassword(db, deps.keys, chosen, now))) throw sessionExpired()
      return []
    },
  })
}
