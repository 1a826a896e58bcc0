import { password } from '@counterfoil/contract/password'
import type { Area } from '../../kit/serve.ts'
import { changePassword, type PasswordHouse } from './password.service.ts'

export const passwordArea =
  (house: PasswordHouse): Area =>
  (serve) => {
    serve(password.change, (ask, { body }) => changePassword(house, ask, body))
  }
