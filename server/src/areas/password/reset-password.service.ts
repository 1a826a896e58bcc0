import { ApiError } from '../../kit/api-error.ts'
import { refuseUnfit } from './new-password.rules.ts'
import { type LinkAsk, type LinkDeps, setPasswordByLink } from './password-link.service.ts'
import { replacePassword } from './password.queries.ts'

/** payments.md §8: one text for a token that is unknown, used or too old. */
const over = (): ApiError => new ApiError(400, 'Your change password session has expired. Please try again.')

/**
 * Sets a new password with the token of a mailed link, once, and ends every session of the user.
 * @throws Refusal as setPasswordByLink does
 */
export const resetPassword = async (deps: LinkDeps, ask: LinkAsk, given: { token: string; password: string }): Promise<void> => {
  refuseUnfit('body.password', given.password)
  await setPasswordByLink(deps, ask, given, {
    kind: 'reset',
    over,
    store: (db, chosen, now) => replacePassword(db, deps.keys, { ...chosen, keptSessionId: null, action: 'password.reset' }, now),
  })
}
