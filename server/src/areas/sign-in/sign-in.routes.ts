import { signIn } from '@counterfoil/contract/sign-in'
import type { RegisterArea } from '../../http/request-context.ts'
import { requestPasswordReset } from './reset-request.service.ts'
import { type SignInDeps, signInByPassword, signInByRefresh, signOut } from './sign-in.service.ts'
import { isSignOnCode, signInByCode } from './sso-code.service.ts'
import { signInBySupportCode } from './support-code.service.ts'

/** Registers /token (by password, refresh token, sign-on code or support code), /revoke and the request for a new password. */
export const signInArea =
  (deps: SignInDeps): RegisterArea =>
  (route) => {
    route(signIn.token, async (context, { body }) => {
      if (body.grant_type === 'password') return signInByPassword(deps, context, body)
      if (body.grant_type === 'refresh_token') return signInByRefresh(deps, context, body)
      return isSignOnCode(body.code) ? signInByCode(deps, context, body) : signInBySupportCode(deps, context, body)
    })
    route(signIn.revoke, async (context, { body }) => {
      await signOut(deps, context, body)
      return {}
    })
    route(signIn.resetRequest, (context, { body }) => requestPasswordReset(deps, context, body))
  }
