import { PASSWORD_MAX_BYTES, registrationPasswordProblem } from '@counterfoil/contract/kit/password'
import { invalidInput, ApiError } from '../../kit/api-error.ts'
import { type LinkContext, type LinkDeps, setPasswordByLink } from '../password/password-link.service.ts'
import { storeFirstPassword } from './registration.queries.ts'

/** The same error for a token that is unknown, used or expired, and for a registered user. */
const linkExpiredError = (): ApiError => new ApiError('link_expired', 'Your registration session has expired. Please try again.')

/**
 * Sets an invited user's first password by the mailed link, once. No session is started.
 * @throws ApiError 400 with the first rule that the password breaks; otherwise as setPasswordByLink does
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
    linkExpiredError: linkExpiredError,
    store: async (db, chosen, now) => {
      if (!(await storeFirstPassword(db, deps.keys, chosen, now))) throw linkExpiredError()
      return []
    },
  })
}
