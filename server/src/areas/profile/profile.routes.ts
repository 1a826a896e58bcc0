import { profile } from '@counterfoil/contract/user/profile'
import type { RegisterArea } from '../../http/request-context.ts'
import { changeProfile, type ProfileDeps, readProfile } from './profile.service.ts'

/** Registers the endpoints that read and change the signed-in user's profile. */
export const profileArea =
  (deps: ProfileDeps): RegisterArea =>
  (route) => {
    route(profile.read, readProfile)
    route(profile.change, (context, { body }) => changeProfile(deps, context, body))
  }
