import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult } from '../charge-result.ts'
import type { Decline } from '../decline.ts'
import type { MethodDetails, NewCard, StoredMethod } from '../method.ts'
import { callNexio, describeAnswer, merchantField, type NexioAnswer, type NexioContext, resultWithoutAnswer } from './nexio-client.ts'
import { ECHECK } from './nexio-codec.ts'
import { fromNexioCustomer, toNexioCustomer, withoutGaps } from './nexio-customer.ts'
import { toDecline } from './nexio-declines.ts'

/** A method in Nexio's vault, or why there is none. Nothing here moves money. */
export type VaultResult = StoredMethod | Decline | Extract<ChargeResult, { state: 'unknown' | 'not_sent' }>

/** Whether a result is a method in Nexio's vault, and not why there is none. */
export const isStored = (result: VaultResult): result is StoredMethod => 'token' in result

const WireToken = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  lastFour: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
  cardType: Type.Optional(Type.String()),
})
const WireExpiry = Type.Object({
  expirationMonth: Type.String({ pattern: '^\\d{1,2}$' }),
  expirationYear: Type.String({ pattern: '^(\\d{2}|\\d{4})$' }),
  cardHolderName: Type.Optional(Type.String()),
})
const WireData = Type.Optional(Type.Object({ customer: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }))
/** An answer about a card: `token` where it was stored, `tokenex` where it is read. */
const WireCard = Type.Object({
  card: WireExpiry,
  token: Type.Optional(WireToken),
  tokenex: Type.Optional(WireToken),
  data: WireData,
})
const WireECheck = Type.Object({
  token: WireToken,
  bank: Type.Optional(Type.Object({ accountHolderName: Type.Optional(Type.String()), routingNumber: Type.Optional(Type.String()) })),
})

/** The stored card that an answer of the vault tells of; undefined for everything else. */
export const decodeCard = (body: unknown): StoredMethod | undefined => {
  if (!matchesSchema(WireCard, body)) return undefined
  const { card, data } = body
  const token = body.token ?? body.tokenex
  if (token === undefined) return undefined
  const details: MethodDetails = {
    ...fromNexioCustomer(data?.customer ?? {}),
    ...withoutGaps({ brand: token.cardType, last4: token.lastFour, name: card.cardHolderName }),
    expMonth: Number(card.expirationMonth),
    expYear: 2_000 + (Number(card.expirationYear) % 100),
  }
  return { kind: 'card', type: 'card', token: token.token, status: 'ready', details }
}

/** The stored bank account that an answer of the vault tells of; undefined for everything else. */
export const decodeECheck = (body: unknown): StoredMethod | undefined => {
  if (!matchesSchema(WireECheck, body)) return undefined
  const { token, bank } = body
  const details = withoutGaps({ last4: token.lastFour, name: bank?.accountHolderName, bankCode: bank?.routingNumber })
  return { kind: 'bank', type: ECHECK, token: token.token, status: 'ready', details }
}

const WireOneTime = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) })

/**
 * A token of Nexio's that stands for the password in one call; where Nexio gives none, its answer.
 * @throws NoResponseError when no complete answer arrived
 */
export const createOneTimeToken = async (context: NexioContext, request: object): Promise<string | NexioAnswer> => {
  const answer = await callNexio(context, { method: 'POST', path: '/pay/v3/token', body: { ...merchantField(context), ...request } })
  return answer.status === 200 && matchesSchema(WireOneTime, answer.body) ? answer.body.token : answer
}

/**
 * Stores a card or an account in Nexio's vault whose number was encrypted in the browser. A lost answer is `unknown`, not thrown.
 * @throws Error for a method of any other kind
 */
export const storeSealed = async (context: NexioContext, input: NewCard, customerRef?: string): Promise<VaultResult> => {
  if (input.typedMethod.kind !== 'sealed') throw new Error('nexio stores encrypted numbers alone')
  const { sealed } = input.typedMethod
  const customer = { ...toNexioCustomer(input), ...(customerRef === undefined ? {} : { customerRef }) }
  const isBank = sealed.bankCode !== undefined
  const stored = await sendStoring(context, isBank ? '/pay/v3/saveECheck' : '/pay/v3/saveCard', {
    ...(isBank ? { bank: toBank(input) } : { card: toCard(input) }),
    data: { customer },
    ...(sealed.securityCode === undefined ? {} : { processingOptions: { verifyCvc: true } }),
  })
  return isStored(stored) ? withWhatWasTyped(stored, input) : stored
}

/** The card of a request to store: the encrypted number, and expiry, brand, holder and security code in the clear. */
const toCard = ({ typedMethod, holder }: NewCard): object => {
  if (typedMethod.kind !== 'sealed') return {}
  const { encryptedNumber, expMonth, expYear, brand, securityCode } = typedMethod.sealed
  return {
    encryptedNumber,
    ...withoutGaps({
      expirationMonth: expMonth === undefined ? undefined : String(expMonth),
      expirationYear: expYear === undefined ? undefined : String(expYear),
      cardType: brand?.toLowerCase(),
      securityCode: securityCode?.open(),
    }),
    cardHolderName: holder ?? '',
  }
}

/** The bank account of a request to store: the encrypted number, and holder and routing number in the clear. */
const toBank = ({ typedMethod, holder }: NewCard): object =>
  typedMethod.kind === 'sealed'
    ? {
        accountHolderName: holder ?? '',
        routingNumber: typedMethod.sealed.bankCode,
        encryptedBankAccountNumber: typedMethod.sealed.encryptedNumber,
      }
    : {}

/** Stores a card or an account by a one-time token. A token that was refused has stored nothing and is replaced once. Nothing is thrown. */
const sendStoring = async (context: NexioContext, path: string, body: object, isAgain = false): Promise<VaultResult> => {
  try {
    const token = await createOneTimeToken(context, { data: {} })
    if (typeof token !== 'string') return toDecline(token) ?? { state: 'not_sent', detail: describeAnswer(token) }
    const answer = await callNexio(context, { method: 'POST', path, body: { ...merchantField(context), ...body, token }, isOneTime: true })
    if (answer.status === 403 && !isAgain) return await sendStoring(context, path, body, true)
    const method = answer.status === 200 ? (path.endsWith('saveCard') ? decodeCard : decodeECheck)(answer.body) : undefined
    return method ?? toDecline(answer) ?? { state: 'unknown', detail: describeAnswer(answer) }
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}

/** A stored method with the details that were typed, where the answer does not repeat them. What Nexio itself tells goes first. */
const withWhatWasTyped = (stored: StoredMethod, input: NewCard): StoredMethod => {
  const { holder, payerFirstName, payerLastName, email, phone, address, shippingAddress, shippingPhone, typedMethod } = input
  const sealed = typedMethod.kind === 'sealed' ? typedMethod.sealed : undefined
  const typed = withoutGaps({ payerFirstName, payerLastName, email, phone, address, shippingAddress, shippingPhone, name: holder })
  return {
    ...stored,
    details: { ...withoutGaps({ brand: sealed?.brand, last4: sealed?.last4, bankCode: sealed?.bankCode }), ...typed, ...stored.details },
  }
}

/** Reads a card from Nexio's vault by its token; Nexio's own page has stored it there. A lost answer is a result, not thrown. */
export const readCard = async (context: NexioContext, token: string): Promise<VaultResult> => {
  try {
    const answer = await callNexio(context, { method: 'GET', path: `/pay/v3/vault/card/${encodeURIComponent(token)}` })
    const method = answer.status === 200 ? decodeCard(answer.body) : undefined
    if (method !== undefined && method.token !== token) return { state: 'unknown', detail: 'nexio answered for another card' }
    return method ?? toDecline(answer) ?? { state: 'unknown', detail: describeAnswer(answer) }
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}
