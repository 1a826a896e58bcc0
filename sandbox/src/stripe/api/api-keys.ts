import { shortHash } from '../store/ids.ts'
import { invalidRequest, type StripeError } from './stripe-error.ts'

/** The account that a request comes from, and whether it used a secret or a publishable key. */
export interface Caller {
  /** The account's name, which is part of its keys. */
  readonly account: string
  readonly isSecretKey: boolean
  readonly key: string
}

const KEY = /^(sk|pk|rk)_test_([A-Za-z0-9_]{4,200})$/
/** A real key begins with `51` and the sixteen letters of its account. */
const REAL_KEY = /^51([A-Za-z0-9]{16})[A-Za-z0-9]{16,}$/

/**
 * The caller of an `Authorization` header, or of the `key` that Stripe.js sends in the form. Every well-formed test key is accepted; keys
 * with the same first word are of one account.
 * @throws StripeError when the key is missing or is not a Stripe test key
 */
export const callerOf = (authorization: string | undefined, formKey?: string): Caller => {
  const key = formKey ?? keyFromHeader(authorization)
  if (key === undefined)
    throw unauthorizedError(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  const [, kind, rest = ''] = KEY.exec(key) ?? []
  if (kind === undefined || /invalid|revoked|expired/.test(rest)) throw unauthorizedError(`Invalid API Key provided: ${maskedKey(key)}`)
  return { account: accountName(rest), isSecretKey: kind !== 'pk', key }
}

/** The name of the account in a secret or publishable key; empty for any other text. */
export const accountOfKey = (key: string): string => accountName(KEY.exec(key)?.[2] ?? '')

/** The account's name in a key without its prefix: a real key's account, else the first word. */
const accountName = (rest: string): string => REAL_KEY.exec(rest)?.[1] ?? (rest.split('_')[0] || rest)

/** @throws StripeError (401) for a publishable key */
export const requireSecretKey = ({ isSecretKey }: Caller): void => {
  if (!isSecretKey)
    throw invalidRequest(
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      { code: 'secret_key_required' },
      401,
    )
}

/** The id of an account in responses, a hash of its name. */
export const accountId = (account: string): string => `acct_${shortHash(account)}`

/** The error 401 of a missing or wrong key; a value, not thrown here. */
const unauthorizedError = (message: string): StripeError => invalidRequest(message, {}, 401)

/** The key in a Bearer or Basic header; undefined without one. */
const keyFromHeader = (authorization = ''): string | undefined => {
  const [, scheme = '', value = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization) ?? []
  if (scheme === '') return undefined
  return scheme.toLowerCase() === 'bearer' ? value : Buffer.from(value, 'base64').toString().split(':')[0]
}

/** The key with stars in its middle, as error messages show it. */
const maskedKey = (key: string): string =>
  key.length <= 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`
