import type { OneTimeToken } from '../vault/one-time-tokens.ts'
import { requireUsable } from '../vault/one-time-tokens.ts'
import type { Nexio } from '../nexio.ts'
import { unauthorizedError } from './nexio-error.ts'

/**
 * The user name of a Basic authorization header. Every user name is an account.
 * @throws NexioError without one, or with a password that contains `invalid`
 */
export const accountOf = (authorization: string | undefined): string => {
  const [scheme = '', encoded = ''] = (authorization ?? '').split(' ')
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const end = credentials.indexOf(':')
  const [account, password] = [credentials.slice(0, Math.max(end, 0)), credentials.slice(end + 1)]
  if (scheme.toLowerCase() !== 'basic' || account === '' || password === '' || password.includes('invalid')) throw unauthorizedError()
  return account
}

/**
 * The one-time-use token of a request and the account that made it. The token is not used up by this.
 * @throws NexioError when it is missing, unknown, used or expired
 */
export const tokenOf = (nexio: Nexio, text: string | undefined): { readonly account: string; readonly token: OneTimeToken } => {
  if (text === undefined) throw unauthorizedError()
  const found = nexio.findInAnyAccount<OneTimeToken>('one_time_token', text)
  const token = requireUsable(found?.object, nexio.openSession(found?.account ?? '').now)
  return { account: found?.account ?? '', token }
}
