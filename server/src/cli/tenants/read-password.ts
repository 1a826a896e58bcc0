import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '@counterfoil/contract/kit/password'
import { OperatorError } from '../../kit/api-error.ts'
import { passwordWeakness } from '../../session/password-strength.ts'
import type { InputFile } from '../command.ts'

/**
 * Reads a password from a file or standard input. It is never an argument, which other users of the machine can see.
 * @param personalWords words that the password must not equal
 * @throws OperatorError when it is missing, too long, too weak or not text
 */
export const readPassword = async (source: InputFile, personalWords: readonly string[]): Promise<string> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source.open()) {
    chunks.push(chunk)
    length += chunk.length
    if (length > PASSWORD_MAX_BYTES + 2) throw new OperatorError(`The password is longer than ${PASSWORD_MAX_BYTES} bytes.`)
  }
  const decoded = decodeUtf8(Buffer.concat(chunks))
  const [password = '', ...otherLines] = decoded.replace(/\r?\n$/, '').split('\n')
  if (otherLines.length > 0 || /\p{Cc}/u.test(password))
    throw new OperatorError('The password must stand alone on one line, without control characters.')
  if ([...password].length < PASSWORD_MIN_LENGTH)
    throw new OperatorError(`The password must have at least ${PASSWORD_MIN_LENGTH} characters.`)
  if (personalWords.some((word) => word.toLowerCase() === password.toLowerCase()))
    throw new OperatorError('The password must not be the username or the email address.')
  const reason = await passwordWeakness(password)
  if (reason !== null) throw new OperatorError(reason)
  return password
}

/** Decodes a password's bytes. @throws OperatorError when they are not UTF-8 */
const decodeUtf8 = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new OperatorError('The password is not UTF-8 text.', { cause: error })
  }
}
