import { registration } from '@counterfoil/contract/registration'
import { callApi, signOut } from '../../api/call-api.ts'

/**
 * Chooses the first password with the token of a mailed link. Whoever is signed in with this browser is signed out, for the link to the
 * sign-in page must lead there.
 * @throws AskFailed with the server's words, for the field `body.password` where that is what is wrong
 */
export const finishRegistration = async (token: string, password: string): Promise<void> => {
  await callApi(registration.finish, { body: { token, password } })
  await signOut()
}
