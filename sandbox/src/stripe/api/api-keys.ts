import { digest } from '../store/ids.ts'
import { invalid, type StripeError } from './stripe-error.ts'

/** Who calls: an account, by its secret key or by the one that stands in web pages. */
export interface Caller {
  /** The account's word, from its keys. */
  readonly account: string
  readonly secret: boolean
  readonly key: string
}

const KEY = /^(sk|pk|rk)_test_([A-Za-z0-9_]{4,200})$/
/** A real key begins with `51` and sixteen letters that name its account. */
const REAL_KEY = /^51([A-Za-z0-9]{16})[A-Za-z0-9]{16,}$/

/**
 * The caller behind an `Authorization` header, or behind the `key` that a page's script sends in the form.
 * Every well-formed test key is taken. The keys of one account agree in their first word: `sk_test_acme_secret` and `pk_test_acme_page`.
 * @throws StripeError when there is no key, or it is none of Stripe's test keys
 */
export const callerOf = (authorization: string | undefined, formKey?: string): Caller => {
  const key = formKey ?? keyIn(authorization)
  if (key === undefined)
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  const [, kind, rest = ''] = KEY.exec(key) ?? []
  if (kind === undefined || /invalid|revoked|expired/.test(rest)) throw unauthorised(`Invalid API Key provided: ${hidden(key)}`)
  return { account: wordOf(rest), secret: kind !== 'pk', key }
}

/** The account's word in a key of either kind. */
export const accountOf = (key: string): string => wordOf(KEY.exec(key)?.[2] ?? '')

const wordOf = (rest: string): string => REAL_KEY.exec(rest)?.[1] ?? (rest.split('_')[0] || rest)

/** @throws StripeError for a page's key */
export const mustBeSecret = ({ secret }: Caller): void => {
  if (!secret)
    throw invalid(
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      { code: 'secret_key_required' },
      401,
    )
}

/** The id of an account in answers. */
export const accountId = (account: string): string => `acct_${digest(account)}`

const unauthorised = (message: string): StripeError => invalid(message, {}, 401)

const keyIn = (authorization = ''): string | undefined => {
  const [, scheme = '', value = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization) ?? []
  if (scheme === '') return undefined
  return scheme.toLowerCase() === 'bearer' ? value : Buffer.from(value, 'base64').toString().split(':')[0]
}

const hidden = (key: string): string =>
  key.length <= 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`
