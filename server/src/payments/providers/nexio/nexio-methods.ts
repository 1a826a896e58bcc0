import { declineTypedMethod } from '../decline.ts'
import type { StoreMethodResult } from '../storing.ts'
import type { KnownMethod, MethodDetails, NewMethod } from '../method.ts'
import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import { callNexio, describeAnswer, type NexioContext, resultWithoutAnswer } from './nexio-client.ts'
import { toNexioCustomer, withoutGaps } from './nexio-customer.ts'
import { toDecline } from './nexio-declines.ts'
import { createOneTimeToken, decodeCard, isStored, readCard, storeSealed, type VaultResult } from './nexio-vault.ts'

/**
 * Stores a number that the browser encrypted in Nexio's vault, or takes over a card that Nexio's own page has stored there. A lost answer
 * is `unknown`.
 */
export const storeMethod = async (
  context: NexioContext,
  _customer: string,
  input: NewMethod,
  { customerId }: { customerId: number },
): Promise<StoreMethodResult> => {
  const { typedMethod } = input
  if (typedMethod.kind !== 'token' && typedMethod.kind !== 'sealed') return declineTypedMethod('unreadable')
  return typedMethod.kind === 'token'
    ? takeOverCard(context, typedMethod.token, input)
    : toStoreResult(await storeSealed(context, input, String(customerId)))
}

/** Keeps a card that Nexio's own page has stored, and writes who pays to it: the page does not ask for that. */
const takeOverCard = async (context: NexioContext, token: string, input: NewMethod): Promise<StoreMethodResult> => {
  const card = await readCard(context, token)
  if (!isStored(card)) return toStoreResult(card)
  const { typedMethod: _, type: __, holder: name, ...payer } = input
  const known = { token, kind: card.kind, providerCustomerId: null, details: card.details }
  return updateMethod(context, known, withoutGaps({ ...payer, name }))
}

/** The result of storing a method: in the vault it succeeded, a decline stays, anything else is unknown. */
const toStoreResult = (result: VaultResult): StoreMethodResult => {
  if (isStored(result)) return { state: 'succeeded', method: result }
  return result.state === 'declined' ? result : { state: 'unknown', detail: result.detail }
}

/**
 * Changes a card's expiry, holder and payer at Nexio; its number stays. A lost answer is `unknown`.
 * @throws Error for a bank account, which cannot be changed
 */
export const updateMethod = async (
  context: NexioContext,
  { token, kind, details }: KnownMethod,
  changes: Omit<MethodDetails, 'brand' | 'last4' | 'networkRef'>,
): Promise<StoreMethodResult> => {
  if (kind !== 'card') throw new Error('nexio changes cards alone')
  const { expMonth, expYear, name } = changes
  const card = withoutGaps({
    expirationMonth: expMonth === undefined ? undefined : String(expMonth),
    expirationYear: expYear === undefined ? undefined : String(expYear),
    cardHolderName: name,
  })
  try {
    const path = `/pay/v3/vault/card/${encodeURIComponent(token)}`
    const answer = await callNexio(context, {
      method: 'PUT',
      path,
      body: { shouldUpdateCard: true, card, data: { customer: toNexioCustomer(changes) } },
    })
    const method = answer.status === 200 ? decodeCard(answer.body) : undefined
    if (method !== undefined) return { state: 'succeeded', method: { ...method, details: { ...details, ...changes, ...method.details } } }
    return toDecline(answer) ?? { state: 'unknown', detail: describeAnswer(answer) }
  } catch (error) {
    return { state: 'unknown', detail: resultWithoutAnswer(error).detail }
  }
}

/**
 * Removes a card or an account from Nexio's vault.
 * @throws as removeToken
 */
export const removeMethod = (context: NexioContext, { token }: KnownMethod): Promise<void> => removeToken(context, token)

const WireDeleted = Type.Array(Type.Object({ deleted: Type.Boolean() }))

/**
 * Removes a card or an account from Nexio's vault. A token that Nexio does not know counts as removed; one whose removal Nexio denies is
 * looked up in the vault.
 * @throws Error when the status is neither 200 nor 404, or the vault still has the denied token
 */
export const removeToken = async (context: NexioContext, token: string): Promise<void> => {
  const answer = await callNexio(context, { method: 'POST', path: '/pay/v3/deleteToken', body: { tokens: [token] } })
  if (answer.status === 404) return
  if (answer.status !== 200) throw new Error(describeAnswer(answer))
  const isDenied = matchesSchema(WireDeleted, answer.body) && answer.body.some(({ deleted }) => !deleted)
  if (isDenied && (await isInVault(context, token))) throw new Error('nexio did not remove it')
}

/** Whether the vault has the token, as a card or as an eCheck. Any status but 404 counts as yes. */
const isInVault = async (context: NexioContext, token: string): Promise<boolean> => {
  const paths = ['card', 'echeck'].map((kind) => `/pay/v3/vault/${kind}/${encodeURIComponent(token)}`)
  const answers = await Promise.all(paths.map((path) => callNexio(context, { method: 'GET', path })))
  return answers.some(({ status }) => status !== 404)
}

const CARD_TYPES = ['visa', 'mastercard', 'discover', 'amex', 'jcb']

/**
 * Asks Nexio for a one-time-use token of its own page for a card, which the browser shows in a frame. Nexio stores the card, whether it is
 * to be kept or to be charged once.
 * @returns `token`, and `frameUrl` with the page
 * @throws Error when Nexio gives no token
 */
export const createCardForm = async (context: NexioContext): Promise<{ fields: Record<string, string>; entryReference: null }> => {
  const token = await createOneTimeToken(context, {
    data: { paymentMethod: 'creditCard', allowedCardTypes: CARD_TYPES },
    processingOptions: { verifyCvc: true },
    uiOptions: { displaySubmitButton: false },
  })
  if (typeof token !== 'string') throw new Error(describeAnswer(token))
  return { fields: { token, frameUrl: `${context.baseUrl}/pay/v3/saveCard?token=${encodeURIComponent(token)}` }, entryReference: null }
}
