import { password } from '@counterfoil/contract/user/password'
import { callApi } from '../../api/call-api.ts'
import { signOut } from '../../api/sign-in.ts'

/**
 * Sets a new password with the token of a mailed link, and signs this browser out so that the link to the sign-in page leads there.
 * @throws ApiError with an error at `body.password` when the password is rejected
 */
export const resetPassword = async (token: string, newPassword: string): Promise<void> => {
  await callApi(password.reset, { body: { token, password: newPassword } })
  await signOut()
}
