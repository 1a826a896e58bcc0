import { password } from '@counterfoil/contract/user/password'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'

/** Mutation options: changes the password of the signed-in user, on the server. Errors are shown beside the fields. */
export const changePasswordMutation = () =>
  mutationOptions({
    mutationKey: ['password', 'change'],
    mutationFn: (body: { oldPassword: string; newPassword: string }) => callApi(password.change, { body }),
    meta: { failure: 'inline' },
  })
