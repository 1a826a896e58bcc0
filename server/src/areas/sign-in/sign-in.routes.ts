import { signIn } from '@counterfoil/contract/sign-in'
import type { Area } from '../../http/request-context.ts'
import { requestReset } from './reset-request.service.ts'
import { type SignInHouse, signInByPassword, signInByRefresh, signOut } from './sign-in.service.ts'
import { isSignOnCode, signInByCode } from './sso-code.service.ts'
import { signInBySupportCode } from './support-code.service.ts'

export const signInArea =
  (house: SignInHouse): Area =>
  (serve) => {
    serve(signIn.token, async (ask, { body }) => {
      if (body.grant_type === 'password') return signInByPassword(house, ask, body)
      if (body.grant_type === 'refresh_token') return signInByRefresh(house, ask, body)
      return isSignOnCode(body.code) ? signInByCode(house, ask, body) : signInBySupportCode(house, ask, body)
    })
    serve(signIn.revoke, async (ask, { body }) => {
      await signOut(house, ask, body)
      return {}
    })
    serve(signIn.resetRequest, (ask, { body }) => requestReset(house, ask, body))
  }
