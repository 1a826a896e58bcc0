import { password } from '@counterfoil/contract/password'
import { mutationOptions } from '@tanstack/react-query'
import { ask } from '../../api/call-api.ts'

/** Changes the password of who is signed in; what the server refuses is told beside the field. */
export const changePassword = () =>
  mutationOptions({
    mutationKey: ['password', 'change'],
    mutationFn: (body: { oldPassword: string; newPassword: string }) => ask(password.change, { body }),
    meta: { failure: 'inline' },
  })
