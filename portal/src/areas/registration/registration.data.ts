import { registration } from '@counterfoil/contract/registration'
import { callApi } from '../../api/call-api.ts'
import { signOut } from '../../api/sign-in.ts'

/**
 * Sets the first password with the token of a mailed link, and signs this browser out so that the link to the sign-in page leads there.
 * @throws ApiError with an error at `body.password` when the password is rejected
 */
export const finishRegistration = async (token: string, password: string): Promise<void> => {
  await callApi(registration.finish, { body: { token, password } })
  await signOut()
}
