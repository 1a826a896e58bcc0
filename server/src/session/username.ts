import { OperatorError } from '../kit/api-error.ts'

/** Checks the characters of a username, not whether it is taken. @throws OperatorError when it could not be typed at sign-in */
export const assertUsername = (username: string): void => {
  if (username === '' || Buffer.byteLength(username) > 254 || /[\p{C}\p{Z}]/u.test(username))
    throw new OperatorError('A username has 1 to 254 characters, and no spaces.')
}
