import { registration } from '@counterfoil/contract/registration'
import { keyedMutex } from '../../kit/mutex.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import type { PasswordDeps } from '../password/password.service.ts'
import { finishRegistration } from './registration.service.ts'

/** Registers the endpoint that finishes an invited user's registration. */
export const registrationArea =
  (deps: PasswordDeps): RegisterArea =>
  (route) => {
    const runExclusive = keyedMutex()
    route(registration.finish, (context, { body }) => finishRegistration({ ...deps, runExclusive }, context, body))
  }
