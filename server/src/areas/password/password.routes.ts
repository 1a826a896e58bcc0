import { password } from '@counterfoil/contract/password'
import { oneByOne } from '../../kit/mutex.ts'
import type { Area } from '../../http/request-context.ts'
import { changePassword, type PasswordDeps } from './password.service.ts'
import { resetPassword } from './reset-password.service.ts'

export const passwordArea =
  (deps: PasswordDeps): Area =>
  (serve) => {
    const inTurn = oneByOne()
    serve(password.change, (ask, { body }) => changePassword(deps, ask, body))
    serve(password.reset, (ask, { body }) => resetPassword({ ...deps, inTurn }, ask, body))
  }
