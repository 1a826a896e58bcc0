import { registration } from '@counterfoil/contract/registration'
import { oneByOne } from '../../kit/mutex.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import type { PasswordDeps } from '../password/password.service.ts'
import { finishRegistration } from './registration.service.ts'

export const registrationArea =
  (deps: PasswordDeps): RegisterArea =>
  (route) => {
    const inTurn = oneByOne()
    route(registration.finish, (ask, { body }) => finishRegistration({ ...deps, inTurn }, ask, body))
  }
