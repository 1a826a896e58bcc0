import { signIn } from '@counterfoil/contract/sign-in'
import { ask } from '../../api/call-api.ts'

/**
 * Asks for a mail that lets the owner of the address set a new password. The answer does not tell whether the address is known.
 * @throws AskFailed when the request could not be made
 */
export const requestReset = async (email: string): Promise<void> => {
  await ask(signIn.resetRequest, { body: { email } })
}
