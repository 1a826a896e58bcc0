import { password } from '@counterfoil/contract/password'
import { oneByOne } from '../../kit/mutex.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { changePassword, type PasswordDeps } from './password.service.ts'
import { resetPassword } from './reset-password.service.ts'

export const passwordArea =
  (deps: PasswordDeps): RegisterArea =>
  (route) => {
    const inTurn = oneByOne()
    route(password.change, (ask, { body }) => changePassword(deps, ask, body))
    route(password.reset, (ask, { body }) => resetPassword({ ...deps, inTurn }, ask, body))
  }
