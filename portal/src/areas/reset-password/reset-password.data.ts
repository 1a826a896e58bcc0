import { password } from '@counterfoil/contract/password'
import { callApi, signOut } from '../../api/call-api.ts'

/**
 * Sets a new password with the token of a mailed link. Whoever is signed in with this browser is signed out, for the link to the
 * sign-in page must lead there.
 * @throws AskFailed with the server's words, for the field `body.password` where that is what is wrong
 */
export const resetPassword = async (token: string, newPassword: string): Promise<void> => {
  await callApi(password.reset, { body: { token, password: newPassword } })
  await signOut()
}
