import { declineTypedMethod } from '../decline.ts'
import type { StoreMethodResult } from '../storing.ts'
import type { MethodSummary, NewMethod } from '../method.ts'
import type { IPpayContext } from './ippay-client.ts'
import { findToken } from './ippay-enquiry.ts'

/** The brands by the first digit, which a card's token keeps. */
const BRANDS: Readonly<Record<string, string>> = { 2: 'mastercard', 3: 'amex', 4: 'visa', 5: 'mastercard', 6: 'discover' }

/** What a token shows of its card or account: it keeps the last four digits. */
export const describeToken = (kind: 'card' | 'bank', token: string): MethodSummary => {
  const last4 = /\d{4}$/.exec(token)?.[0]
  const brand = kind === 'card' ? BRANDS[token.charAt(0)] : undefined
  return { ...(brand === undefined ? {} : { brand }), ...(last4 === undefined ? {} : { last4 }) }
}

/**
 * Finds the token of what was entered on the hosted page; the typed token is our reference. IPpay keeps no list, so that the token and what
 * it shows are all that is stored.
 */
const storeMethod = async (context: IPpayContext, _providerCustomerId: string, method: NewMethod): Promise<StoreMethodResult> => {
  const { typedMethod, type, holder } = method
  if (typedMethod.kind !== 'token') return declineTypedMethod('unreadable')
  const kind = type === 'card' ? 'card' : 'bank'
  const found = await findToken(context, typedMethod.token, kind)
  if (!('token' in found)) return found
  const details = { ...describeToken(kind, found.token), ...typedMethod.details, ...(holder === undefined ? {} : { name: holder }) }
  return { state: 'succeeded', method: { kind, type, token: found.token, status: 'ready', details } }
}

/** Does nothing: IPpay has no call that forgets a token. */
const removeMethod = async (): Promise<void> => undefined

export const ippayMethods = { store: storeMethod, remove: removeMethod }
