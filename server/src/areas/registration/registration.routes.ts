import { registration } from '@counterfoil/contract/registration'
import { oneByOne } from '../../kit/one-by-one.ts'
import type { Area } from '../../kit/serve.ts'
import type { PasswordHouse } from '../password/password.service.ts'
import { finishRegistration } from './registration.service.ts'

export const registrationArea =
  (house: PasswordHouse): Area =>
  (serve) => {
    const inTurn = oneByOne()
    serve(registration.finish, (ask, { body }) => finishRegistration({ ...house, inTurn }, ask, body))
  }
