import { signIn } from '@counterfoil/contract/sign-in'
import { callApi } from '../../api/call-api.ts'

/**
 * Asks for a mail that lets the owner of the address set a new password. The answer does not tell whether the address is known.
 * @throws AskFailed when the request could not be made
 */
export const requestPasswordReset = async (email: string): Promise<void> => {
  await callApi(signIn.resetRequest, { body: { email } })
}
