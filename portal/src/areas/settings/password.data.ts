import { password } from '@counterfoil/contract/password'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'

/** Changes the password of who is signed in; what the server refuses is told beside the field. */
export const changePasswordMutation = () =>
  mutationOptions({
    mutationKey: ['password', 'change'],
    mutationFn: (body: { oldPassword: string; newPassword: string }) => callApi(password.change, { body }),
    meta: { failure: 'inline' },
  })
