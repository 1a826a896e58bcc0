import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError } from '../../kit/api-error.ts'
import type { Keys } from '../../kit/keys.ts'
import { matchesSchema } from '../../kit/schema.ts'
import type { ProviderEntry } from '../providers/entry.ts'

/** The path of the addresses to which payers come back from confirming. */
export const RETURN_PATH = '/payment-return/'

/** A payer who is on the way to confirm. */
interface Leaving {
  readonly attemptId: string
  /** The page that the payer is to see afterwards; null when no payer is present. */
  readonly pageUrl: string | null
}

const State = Type.Object({ attemptId: Type.String(), path: Type.String({ pattern: '^/[^/\\\\]' }) })

/**
 * Where the browser returns after confirming: the page itself, or the server with a signed state that leads there. Null when no payer is
 * present.
 */
export const toReturnUrl = (
  { keys }: { readonly keys: Keys },
  { returnsThroughServer }: Pick<ProviderEntry<never>, 'returnsThroughServer'>,
  { attemptId, pageUrl }: Leaving,
): string | null => {
  if (pageUrl === null || returnsThroughServer !== true) return pageUrl
  const { origin, pathname: path } = new URL(pageUrl)
  const state = Buffer.from(JSON.stringify({ attemptId, path })).toString('base64url')
  return `${origin}${RETURN_PATH}${state}.${signatureOf(keys, state).toString('base64url')}`
}

/** The keyed signature of the state with which payers come back. */
const signatureOf = (keys: Keys, state: string): Buffer => keys.mac('link', 'payment return', state)

const RESULT_PATH = '/payment-result'

/**
 * The URL path of the portal's page that a signed state names. The state says which payment came back, never how: that is looked up.
 * @throws ApiError 400 for a state that this installation has not signed
 */
export const returnPathOf = (keys: Keys, signed: string): string => {
  const [state = '', signature = ''] = signed.split('.')
  const [expected, given] = [signatureOf(keys, state), Buffer.from(signature, 'base64url')]
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  const fields = isOurs ? (JSON.parse(Buffer.from(state, 'base64url').toString()) as unknown) : undefined
  if (!matchesSchema(State, fields))
    throw new ApiError('unreadable_request', 'This address is not complete. Please open the payment again.')
  const { attemptId, path } = fields
  if (path !== RESULT_PATH) return path
  const query = { payment_intent: attemptId, payment_intent_client_secret: '', source_type: 'card', req_uid: attemptId }
  return `${path}?${new URLSearchParams(query).toString()}`
}
