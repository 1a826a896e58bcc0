import { ApiError } from '../../kit/api-error.ts'
import { assertPasswordLength } from './new-password.rules.ts'
import { type LinkContext, type LinkDeps, setPasswordByLink } from './password-link.service.ts'
import { replacePassword } from './password.queries.ts'

/** The same error for a token that is unknown, used or expired. */
const linkExpiredError = (): ApiError => new ApiError('link_expired', 'Your change password session has expired. Please try again.')

/** Sets a new password by a mailed link, once, and ends all sessions of the user. @throws ApiError as setPasswordByLink does */
export const resetPassword = async (deps: LinkDeps, context: LinkContext, fields: { token: string; password: string }): Promise<void> => {
  assertPasswordLength('body.password', fields.password)
  await setPasswordByLink(deps, context, fields, {
    kind: 'reset',
    linkExpiredError,
    store: (db, chosen, now) => replacePassword(db, deps.keys, { ...chosen, keepSessionId: null, action: 'password.reset' }, now),
  })
}
