import { signIn } from '@counterfoil/contract/sign-in'
import { callApi } from '../../api/call-api.ts'

/**
 * Has the server send a password reset email. The response is the same for unknown addresses.
 * @throws ApiError when the request fails
 */
export const requestPasswordReset = async (email: string): Promise<void> => {
  await callApi(signIn.resetRequest, { body: { email } })
}
