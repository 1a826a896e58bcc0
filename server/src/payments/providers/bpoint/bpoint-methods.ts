import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { KnownMethod, NewMethod, StoredMethod } from '../method.ts'
import { declineTypedMethod } from '../decline.ts'
import type { CardFormCustomer } from '../entry.ts'
import type { StoreMethodResult } from '../storing.ts'
import { openAuthKey } from './bpoint-charges.ts'
import { type BpointContext, callBpoint, describeAnswer, isDone, resultWithoutAnswer } from './bpoint-client.ts'
import { BECS_DEBIT, decodeMethod } from './bpoint-codec.ts'
import { isUnusable, toErrorDecline } from './bpoint-errors.ts'

/**
 * Opens a key to which the browser attaches a card or an account. What a stored method belongs to is fixed here: the browser cannot change
 * it.
 * @throws Error when BPOINT gives no key
 */
export const createCardForm = async (
  context: BpointContext,
  purpose: 'store' | 'pay',
  customer?: CardFormCustomer,
): Promise<{ fields: Record<string, string>; entryReference: string | null }> => {
  if (purpose === 'pay') {
    const authKey = await openAuthKey(context, 'txns')
    return { fields: { authKey }, entryReference: authKey }
  }
  if (customer === undefined) throw new Error('bpoint stores methods for a customer')
  const { customerId, method, email } = customer
  const authKey = await openAuthKey(context, 'tokens', method === undefined ? {} : { token: method.token })
  const body = { crn1: String(customerId), ...(email === undefined ? {} : { emailAddress: email }) }
  const answer = await callBpoint(context, { method: 'PUT', path: `/tokens/authkeys/${authKey}/token-details`, body })
  if (!isDone(answer)) throw new Error(describeAnswer(answer))
  return { fields: { authKey }, entryReference: null }
}

const WireToken = Type.Object({
  token: Type.String({ pattern: '^[\\w-]{4,64}$' }),
  crn1: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  emailAddress: Type.Optional(Type.Union([Type.String({ maxLength: 254 }), Type.Null()])),
  createdDateTime: Type.Optional(Type.Unknown()),
  updatedDateTime: Type.Optional(Type.Unknown()),
  paymentMethod: Type.Unknown(),
})
const WireStored = Type.Object({ token: WireToken })

const OTHER_KIND_TEXT = 'This kind of bank account is not taken here.'

/**
 * Stores what the browser has attached to a key, if the key was opened for this customer. A method newly made by another customer's key, or
 * an account where none is taken, is deleted at BPOINT again.
 */
export const storeMethod = async (
  context: BpointContext,
  _providerCustomerId: string,
  { typedMethod }: NewMethod,
  { customerId, debitType }: { readonly customerId: number; readonly debitType?: string | null },
): Promise<StoreMethodResult> => {
  if (typedMethod.kind !== 'token' || !/^[\w-]{8,128}$/.test(typedMethod.token)) return declineTypedMethod('unknown_key')
  try {
    const answer = await callBpoint(context, { method: 'POST', path: `/tokens/authkeys/${typedMethod.token}/process`, body: {} })
    if (isUnusable(answer)) return declineTypedMethod('unusable_key')
    const declined = toErrorDecline(answer)
    if (declined !== undefined) return declined
    if (answer.status !== 200 || !matchesSchema(WireStored, answer.body)) return { state: 'unknown', detail: describeAnswer(answer) }
    const { token } = answer.body
    const method = decodeMethod(token.paymentMethod)
    if (token.crn1 !== String(customerId)) {
      // One that was there before is somebody's, and only its key was borrowed.
      if (token.createdDateTime === token.updatedDateTime) await removeToken(context, token.token)
      return declineTypedMethod('other_customer')
    }
    if (method === undefined) return { state: 'unknown', detail: 'bpoint stored something and did not say what' }
    if (method.kind === 'bank' && debitType !== BECS_DEBIT) {
      await removeToken(context, token.token)
      return declineTypedMethod('no_accounts', OTHER_KIND_TEXT)
    }
    const details = { ...method.details, ...(token.emailAddress ? { email: token.emailAddress } : {}) }
    const type = method.kind === 'card' ? 'card' : BECS_DEBIT
    const stored: StoredMethod = { kind: method.kind, type, token: token.token, status: 'ready', details }
    return { state: 'succeeded', method: stored }
  } catch (error) {
    return { state: 'unknown', detail: resultWithoutAnswer(error).detail }
  }
}

/**
 * Deletes a stored card or account at BPOINT; one that is gone counts as removed.
 * @throws Error when it may still be there
 */
export const removeMethod = (context: BpointContext, { token }: KnownMethod): Promise<void> => removeToken(context, token)

/**
 * Deletes a token at BPOINT; one that is gone counts as removed.
 * @throws Error when it may still be there
 */
const removeToken = async (context: BpointContext, token: string): Promise<void> => {
  const answer = await callBpoint(context, { method: 'DELETE', path: `/tokens/${encodeURIComponent(token)}` })
  if (!isDone(answer) && answer.status !== 404) throw new Error(describeAnswer(answer))
}
