import { password } from '@counterfoil/contract/password'
import { ask, signOut } from '../../api/call-api.ts'

/**
 * Sets a new password with the token of a mailed link. Whoever is signed in with this browser is signed out, for the link to the
 * sign-in page must lead there.
 * @throws AskFailed with the server's words, for the field `body.password` where that is what is wrong
 */
export const resetPassword = async (token: string, typed: string): Promise<void> => {
  await ask(password.reset, { body: { token, password: typed } })
  await signOut()
}
