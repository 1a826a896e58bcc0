import { invalidField, invalidFlow } from '../api/bpoint-error.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { objectField, optionalText, textField } from '../api/fields.ts'
import { type PaymentMethod, parseMethod } from '../payment-methods/attached-method.ts'
import { getToken, newTokenNumber, type Token, tokenBody } from '../payment-methods/token.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import { type AuthKey, createAuthKey, getAuthKey } from './authkey.ts'

/** `/tokens/authkeys`: keys with which a payment method is stored. */
export const tokenKeyEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/tokens/authkeys',
    operation: 'start',
    status: 201,
    handle: ({ session, body }) => {
      const token = textField(body, 'token')
      return { authkey: createAuthKey(session, 'token', token === undefined ? null : getToken(session, token).id).id }
    },
  },
  {
    method: 'PUT',
    path: '/tokens/authkeys/:id/token-details',
    operation: 'details',
    status: 201,
    handle: ({ session, body, id }) => {
      const tokenDetails = {
        crn1: optionalText(body, 'crn1'),
        crn2: optionalText(body, 'crn2'),
        crn3: optionalText(body, 'crn3'),
        emailAddress: optionalText(body, 'emailAddress', 254),
      }
      session.put<AuthKey>({ ...getAuthKey(session, id, 'token'), tokenDetails })
      return null
    },
  },
  {
    method: 'PUT',
    path: '/tokens/authkeys/:id/payment-method',
    operation: 'attach',
    isPublic: true,
    handle: ({ session, body, id }) => {
      if (body['token'] !== undefined) throw invalidField('token', 'A token cannot be stored again')
      session.put<AuthKey>({ ...getAuthKey(session, id, 'token'), attached: { method: parseMethod(body), token: null } })
      return {}
    },
  },
  {
    method: 'POST',
    path: '/tokens/authkeys/:id/process',
    operation: 'store',
    handle: ({ session, body, id, forcedOutcome }) => {
      const key = getAuthKey(session, id, 'token')
      if (forcedOutcome === 'decline') throw invalidField('card.number', 'This card is not accepted')
      const token = storeToken(session, key)
      session.put<AuthKey>({ ...key, isProcessed: true })
      const url = textField(objectField(body, 'webhook'), 'url')
      if (url !== undefined) session.emit({ url, type: 'token', data: tokenBody(session, token) })
      return { token: tokenBody(session, token) }
    },
  },
]

/**
 * Stores a new token with the key's method, or updates the token for which the key was opened; that one keeps its method when none was
 * attached.
 */
const storeToken = (session: BpointSession, { attached, tokenDetails, updatedToken }: AuthKey): Token => {
  const former = updatedToken === null ? undefined : getToken(session, updatedToken)
  const method = attached?.method ?? former?.method
  if (method === undefined) throw invalidFlow('No payment method is attached to the authkey')
  const details = tokenDetails ?? { crn1: null, crn2: null, crn3: null, emailAddress: null }
  const times = { createdAt: former?.createdAt ?? session.now, updatedAt: session.now }
  return session.put<Token>({
    id: former?.id ?? newTokenNumber(),
    object: 'token',
    ...details,
    crn1: details.crn1 ?? former?.crn1 ?? null,
    emailAddress: details.emailAddress ?? former?.emailAddress ?? null,
    method: withoutCode(method),
    ...times,
  })
}

/** The method as it is stored: a card's result of the security code becomes S, not sent. */
const withoutCode = (method: PaymentMethod): PaymentMethod => (method.kind === 'card' ? { ...method, cvnResult: 'S' } : method)
