import { validationError } from '../api/pinch-error.ts'

/**
 * The account of a publishable key: here a key is `pk_test_` or `pk_live_` and the application id.
 * @throws PinchError when it is not a key of this mode
 */
export const accountOfPublishableKey = (mode: string, key: string): string => {
  const [, keyMode, account = ''] = /^pk_(test|live)_(.+)$/.exec(key) ?? []
  if (keyMode !== mode || account.includes('invalid')) throw validationError('', `Invalid publishable key: ${key}`)
  return account
}
