import { signIn } from '@counterfoil/contract/sign-in'
import type { RegisterArea } from '../../http/request-context.ts'
import { requestReset } from './reset-request.service.ts'
import { type SignInDeps, signInByPassword, signInByRefresh, signOut } from './sign-in.service.ts'
import { isSignOnCode, signInByCode } from './sso-code.service.ts'
import { signInBySupportCode } from './support-code.service.ts'

export const signInArea =
  (deps: SignInDeps): RegisterArea =>
  (route) => {
    route(signIn.token, async (ask, { body }) => {
      if (body.grant_type === 'password') return signInByPassword(deps, ask, body)
      if (body.grant_type === 'refresh_token') return signInByRefresh(deps, ask, body)
      return isSignOnCode(body.code) ? signInByCode(deps, ask, body) : signInBySupportCode(deps, ask, body)
    })
    route(signIn.revoke, async (ask, { body }) => {
      await signOut(deps, ask, body)
      return {}
    })
    route(signIn.resetRequest, (ask, { body }) => requestReset(deps, ask, body))
  }
