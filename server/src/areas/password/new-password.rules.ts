import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '@counterfoil/contract/kit/password'
import { invalidInput } from '../../kit/api-error.ts'
import { passwordWeakness } from '../../session/password-strength.ts'

/** @throws ApiError 400 when a new password is too short or too long; `path` is its field, such as body.password */
export const assertPasswordLength = (path: string, password: string): void => {
  if ([...password].length < PASSWORD_MIN_LENGTH)
    throw invalidInput(path, `The new password needs at least ${PASSWORD_MIN_LENGTH} characters.`)
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) throw invalidInput(path, 'The new password is too long.')
}

/** @throws ApiError 400 when a new password is easy to guess, with the reason */
export const assertStrongPassword = async (path: string, password: string): Promise<void> => {
  const weakness = await passwordWeakness(password)
  if (weakness !== null) throw invalidInput(path, weakness)
}
