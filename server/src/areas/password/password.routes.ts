import { password } from '@counterfoil/contract/user/password'
import { keyedMutex } from '../../kit/mutex.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { readLinkOwner } from './password-link.service.ts'
import { changePassword, type PasswordDeps } from './password.service.ts'
import { resetPassword } from './reset-password.service.ts'

/** Registers the endpoints that change a password, show whose a mailed link sets, and reset one by link. */
export const passwordArea =
  (deps: PasswordDeps): RegisterArea =>
  (route) => {
    const runExclusive = keyedMutex()
    route(password.change, (context, { body }) => changePassword(deps, context, body))
    route(password.linkOwner, (context, { body }) => readLinkOwner(deps, context, body))
    route(password.reset, (context, { body }) => resetPassword({ ...deps, runExclusive }, context, body))
  }
