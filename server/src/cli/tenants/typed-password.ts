import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '@counterfoil/contract/kit/password'
import { OperatorError } from '../../kit/api-error.ts'
import { weakness } from '../../session/password-strength.ts'
import type { Source } from '../command.ts'

/**
 * The password in a file or on standard input: its first line. Never an argument, which other users of the machine can read.
 * @param ownWords what the password must not be
 * @throws OperatorError when it is missing, too long, too weak or not text
 */
export const typedPassword = async (source: Source, ownWords: readonly string[]): Promise<string> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source.open()) {
    chunks.push(chunk)
    length += chunk.length
    if (length > PASSWORD_MAX_BYTES + 2) throw new OperatorError(`The password is longer than ${PASSWORD_MAX_BYTES} bytes.`)
  }
  const decoded = decodedText(Buffer.concat(chunks))
  const [password = '', ...others] = decoded.replace(/\r?\n$/, '').split('\n')
  if (others.length > 0 || /\p{Cc}/u.test(password))
    throw new OperatorError('The password must stand alone on one line, without control characters.')
  if ([...password].length < PASSWORD_MIN_LENGTH)
    throw new OperatorError(`The password must have at least ${PASSWORD_MIN_LENGTH} characters.`)
  if (ownWords.some((word) => word.toLowerCase() === password.toLowerCase()))
    throw new OperatorError('The password must not be the username or the email address.')
  const weak = await weakness(password)
  if (weak !== null) throw new OperatorError(weak)
  return password
}

const decodedText = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new OperatorError('The password is not UTF-8 text.', { cause: error })
  }
}
