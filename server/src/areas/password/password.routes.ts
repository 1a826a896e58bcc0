import { password } from '@counterfoil/contract/password'
import { oneByOne } from '../../kit/mutex.ts'
import type { Area } from '../../http/request-context.ts'
import { changePassword, type PasswordHouse } from './password.service.ts'
import { resetPassword } from './reset-password.service.ts'

export const passwordArea =
  (house: PasswordHouse): Area =>
  (serve) => {
    const inTurn = oneByOne()
    serve(password.change, (ask, { body }) => changePassword(house, ask, body))
    serve(password.reset, (ask, { body }) => resetPassword({ ...house, inTurn }, ask, body))
  }
