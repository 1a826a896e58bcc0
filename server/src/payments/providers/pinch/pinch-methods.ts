import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import { RefusedByProvider, declineTypedMethod } from '../decline.ts'
import type { ClientInfo } from '../order.ts'
import { CustomerGone, type NewCustomer, type StoreMethodResult } from '../storing.ts'
import type { KnownMethod, NewMethod, StoredMethod } from '../method.ts'
import { callPinch, describeAnswer, modeUrl, type PinchAnswer, type PinchContext, resultWithoutAnswer } from './pinch-client.ts'
import { BANK_DEBIT, decodeSource } from './pinch-codec.ts'
import { declineOf, declineOfErrors, missingPayerDecline, isBrowserToken } from './pinch-declines.ts'
import { errorMessagesOf, isNotFoundMessage } from './pinch-errors.ts'
import { withoutCodes } from './pinch-texts.ts'

const payerPath = (payerId: string): string => `/payers/${encodeURIComponent(payerId)}`

const WireId = Type.Object({ id: Type.String({ pattern: '^pyr_\\w{1,100}$' }) })

/**
 * Creates a payer at Pinch by who entered the first method; nothing keeps a repeated call from creating another.
 * @throws RefusedByProvider when Pinch refuses the account, the name or the email address, or nobody is known; Error when it does not
 * answer
 */
export const createCustomer = async (context: PinchContext, { reference, contact }: NewCustomer): Promise<string> => {
  const { firstName, lastName } = splitName(contact?.name ?? '')
  const emailAddress = contact?.email ?? ''
  if (firstName === '' || emailAddress === '') throw new RefusedByProvider(missingPayerDecline())
  const body = { firstName, ...(lastName === '' ? {} : { lastName }), emailAddress, metadata: reference }
  const answer = await sendCustomer(context, body)
  if (answer.status < 300 && matchesSchema(WireId, answer.body)) return answer.body.id
  const unauthorized = answer.status === 401 ? declineOf('not_configured', '401') : undefined
  const declined = answer.status === 400 ? declineOfErrors(answer.body) : unauthorized
  throw declined === undefined ? new Error(describeAnswer(answer)) : new RefusedByProvider(declined)
}

/**
 * Posts a payer. An answer of any status is returned.
 * @throws RefusedByProvider when the credentials are refused; Error when no answer arrives
 */
const sendCustomer = async (context: PinchContext, body: object): Promise<PinchAnswer> => {
  try {
    return await callPinch(context, { method: 'POST', path: '/payers', body })
  } catch (error) {
    const result = resultWithoutAnswer(error)
    throw result.state === 'declined' ? new RefusedByProvider(result) : error
  }
}

/** A name at its last blank; a single word is a first name. */
const splitName = (name: string): { firstName: string; lastName: string } => {
  const words = withoutCodes(name).split(' ')
  return words.length === 1
    ? { firstName: words[0] ?? '', lastName: '' }
    : { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' }
}

/**
 * Stores the card or account behind a browser's token with the payer at Pinch. A lost answer is `unknown`.
 * @throws CustomerGone when Pinch does not know the payer
 */
export const storeMethod = async (
  context: PinchContext,
  payerId: string,
  { typedMethod, type, holder, email }: NewMethod,
  { client }: { client: ClientInfo },
): Promise<StoreMethodResult> => {
  if (typedMethod.kind !== 'token' || !isBrowserToken(typedMethod.token)) return declineTypedMethod('no-token')
  const sourceType = type === BANK_DEBIT ? 'bank-account' : 'credit-card'
  const body = { sourceType, token: typedMethod.token, ipAddress: client.ip }
  const answer = await sendStore(context, payerId, body)
  if ('state' in answer) return answer
  if (isPayerGone(answer)) throw new CustomerGone('pinch does not know the payer')
  const method = answer.status < 300 ? decodeSource(answer.body) : undefined
  if (method?.type === type)
    return { state: 'succeeded', method: { ...method, details: { ...typedDetails(holder, email), ...method.details } } }
  if (answer.status === 401) return declineOf('not_configured', '401')
  return (answer.status === 400 ? declineOfErrors(answer.body) : undefined) ?? { state: 'unknown', detail: describeAnswer(answer) }
}

/** Posts a source to a payer. A failure to get an answer is a result, not thrown. */
const sendStore = async (context: PinchContext, payerId: string, body: object) => {
  try {
    return await callPinch(context, { method: 'POST', path: `${payerPath(payerId)}/sources`, body })
  } catch (error) {
    const result = resultWithoutAnswer(error)
    return result.state === 'declined' ? result : { state: 'unknown' as const, detail: result.detail }
  }
}

/** The details that were typed, without those that were not. */
const typedDetails = (name: string | undefined, email: string | undefined) => ({
  ...(name === undefined ? {} : { name }),
  ...(email === undefined ? {} : { email }),
})

/** Whether an answer says that Pinch has no such payer: a 404, or a message of a 400. */
const isPayerGone = ({ status, body }: { status: number; body: unknown }): boolean =>
  status === 404 || (status === 400 && errorMessagesOf(body).some((message) => isNotFoundMessage(message, 'payer')))

/**
 * Removes a source from its payer at Pinch; one that is gone already, or whose payer is, counts as removed. Without a payer nothing is
 * sent.
 * @throws Error when it may still be there
 */
export const removeMethod = async (context: PinchContext, { token, providerCustomerId: payerId }: KnownMethod): Promise<void> => {
  if (payerId === null) return
  const answer = await callPinch(context, { method: 'DELETE', path: `${payerPath(payerId)}/sources/${encodeURIComponent(token)}` })
  const isGone = isPayerGone(answer) || errorMessagesOf(answer.body).some((message) => isNotFoundMessage(message, 'source'))
  if (answer.status !== 200 && !isGone) throw new Error(describeAnswer(answer))
}

const WirePayer = Type.Object({
  id: Type.String(),
  emailAddress: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  sources: Type.Array(Type.Object({ sourceType: Type.String() })),
})

/**
 * A payer's cards and bank accounts of these types as Pinch has them now, in its order.
 * @throws Error when they cannot be read: what is not listed would count as removed
 */
export const listMethods = async (context: PinchContext, payerId: string, types: readonly string[]): Promise<StoredMethod[]> => {
  const answer = await callPinch(context, { method: 'GET', path: payerPath(payerId) })
  if (answer.status !== 200 || !matchesSchema(WirePayer, answer.body) || answer.body.id !== payerId) throw new Error(describeAnswer(answer))
  const { sources, emailAddress } = answer.body
  const methods = sources
    .filter(({ sourceType }) => sourceType === 'credit-card' || sourceType === 'bank-account')
    .map((source) => decodeSource(source))
  return methods.flatMap((method) => {
    if (method === undefined) throw new Error('pinch listed a source in an unknown format')
    return types.includes(method.type)
      ? [{ ...method, details: { ...typedDetails(undefined, emailAddress ?? undefined), ...method.details } }]
      : []
  })
}

/**
 * The address at Pinch where the browser makes a token of a card; nothing is asked of Pinch. The publishable key is one of the reseller's
 * settings.
 */
export const createCardForm = async (context: PinchContext): Promise<{ fields: Record<string, string>; entryReference: null }> => ({
  fields: { tokenUrl: `${modeUrl(context)}/tokens` },
  entryReference: null,
})
