import { invalidCredentials } from './bpoint-error.ts'

/**
 * The merchant number of a Basic authorization header, `username|merchantNumber:password`. Every number of 16 digits is an account.
 * @throws BpointError without one, or with a password that contains `invalid`
 */
export const merchantOf = (authorization: string | undefined): string => {
  const [scheme = '', encoded = ''] = (authorization ?? '').split(' ')
  const [, merchant, password] = /^[^|:]+\|(\d{16}):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (scheme.toLowerCase() !== 'basic' || merchant === undefined || password === undefined || password.includes('invalid'))
    throw invalidCredentials()
  return merchant
}
