import { randomUUID } from 'node:crypto'
import { type Fields, objectField } from '../api/fields.ts'
import { tokenRejected } from '../api/nexio-error.ts'
import { merchantOf } from '../store/merchants.ts'
import type { NexioSession } from '../store/nexio-session.ts'

const LIFETIME_MS = 3_600_000

/** Lets a browser make one call in place of a user name and a password. */
export interface OneTimeToken {
  readonly id: string
  readonly object: 'one_time_token'
  readonly merchantId: string
  readonly expiresAt: number
  readonly isUsed: boolean
  /** The request that created it, whose settings apply to the call. */
  readonly request: Fields
}

/** Stores a new one-time-use token of the request's merchant. @throws NexioError when the account does not have that merchant */
export const createToken = (session: NexioSession, body: Fields): OneTimeToken =>
  session.put({
    id: randomUUID(),
    object: 'one_time_token' as const,
    merchantId: merchantOf(session.account, body),
    expiresAt: session.now + LIFETIME_MS,
    isUsed: false,
    request: body,
  })

/** The token itself, when it can still be used. @throws NexioError when the token is unknown, used or expired */
export const requireUsable = (token: OneTimeToken | undefined, now: number): OneTimeToken => {
  if (token === undefined || token.isUsed || token.expiresAt <= now) throw tokenRejected()
  return token
}

/** Uses the token up: the stored one becomes used. @throws NexioError when it is unknown, used or expired */
export const redeemToken = (session: NexioSession, token: OneTimeToken): void => {
  requireUsable(session.find<OneTimeToken>('one_time_token', token.id), session.now)
  session.put({ ...token, isUsed: true })
}

/** The object field `name` of a request over that of the request that made the token: the request's own fields come first. */
export const withTokenDefaults = (token: OneTimeToken, body: Fields, name: string): Fields => ({
  ...objectField(token.request, name),
  ...objectField(body, name),
})
