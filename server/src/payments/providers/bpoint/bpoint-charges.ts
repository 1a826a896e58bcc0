import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { KnownMethod, MethodDetails, MethodSummary, NewCard } from '../method.ts'
import { declineTypedMethod } from '../decline.ts'
import type { ChargeOrder } from '../order.ts'
import type { NotPrepared, PreparedCharge } from '../prepared-charge.ts'
import {
  type BpointAnswer,
  type BpointContext,
  callBpoint,
  describeAnswer,
  isDone,
  processAuthKey,
  resultWithoutAnswer,
} from './bpoint-client.ts'
import { decodeCharge, decodeMethod } from './bpoint-codec.ts'
import { declineTextOf } from './bpoint-declines.ts'
import { isUnusable, toErrorDecline } from './bpoint-errors.ts'

/** A key that is ready to be processed, and what may be shown of its card or account. */
interface ReadyKey {
  readonly authKey: string
  readonly shown: MethodSummary
}

const WireAuthKey = Type.Object({ authkey: Type.String({ pattern: '^[\\w-]{8,128}$' }) })

/**
 * Opens a key at BPOINT, under which the browser or the server prepares a payment (`txns`) or a method to store (`tokens`).
 * @throws Error when BPOINT gives none
 */
export const openAuthKey = async (context: BpointContext, kind: 'txns' | 'tokens', body: object = {}): Promise<string> => {
  const answer = await callBpoint(context, { method: 'POST', path: `/${kind}/authkeys`, body })
  if (!isDone(answer) || !matchesSchema(WireAuthKey, answer.body)) throw new Error(describeAnswer(answer))
  return answer.body.authkey
}

/**
 * Prepares the charge of a stored method at BPOINT: a key is opened for it, and the method attached by its token. No money moves before
 * `submit`.
 */
export const prepareStoredMethodCharge = (
  context: BpointContext,
  order: ChargeOrder,
  method: KnownMethod,
): Promise<PreparedCharge | NotPrepared> =>
  prepareCharge(context, order, async () => {
    const authKey = await openAuthKey(context, 'txns')
    const failed =
      (await putTransactionDetails(context, order, authKey, method.details.email)) ??
      toFailure(
        await callBpoint(context, { method: 'PUT', path: `/txns/authkeys/${authKey}/payment-method`, body: { token: method.token } }),
        'token_unknown',
      )
    return failed ?? { authKey, shown: summaryOf(method.details) }
  })

/** Prepares the charge of the card that the browser has attached to a key. Only the key that was opened for this very payment is taken. */
export const prepareNewCardCharge = (
  context: BpointContext,
  order: ChargeOrder,
  { typedMethod, email }: NewCard,
): Promise<PreparedCharge | NotPrepared> =>
  prepareCharge(context, order, async () => {
    // Any other key may be about another customer's payment.
    if (typedMethod.kind !== 'token' || order.entryReference === null || typedMethod.token !== order.entryReference)
      return declineTypedMethod('unknown_key')
    const authKey = order.entryReference
    const attached = await readAttachedCard(context, authKey)
    if ('state' in attached) return attached
    return (await putTransactionDetails(context, order, authKey, email)) ?? { authKey, shown: attached }
  })

/** Prepares the charge of a key, which `submit` processes. BPOINT processes a key at most once; no money moves before. */
const prepareCharge = async (
  context: BpointContext,
  order: ChargeOrder,
  readyKey: () => Promise<ReadyKey | NotPrepared>,
): Promise<PreparedCharge | NotPrepared> => {
  const ready = await readyKey().catch((error: unknown): NotPrepared => ({ state: 'not_sent', detail: resultWithoutAnswer(error).detail }))
  if ('state' in ready) return ready
  const { authKey, shown: method } = ready
  return {
    providerRef: authKey,
    method,
    submit: async (permit) => {
      try {
        return decodeCharge(
          await processAuthKey(context, permit, authKey, webhookField(context)),
          order.merchantReference,
          context.settings,
        )
      } catch (error) {
        return resultWithoutAnswer(error)
      }
    },
  }
}

const WEBHOOK_VERSION = 'v5'

/** The field with the address of BPOINT's webhooks for a payment; none where this server has no public address. */
const webhookField = ({ webhookUrl }: BpointContext): object =>
  webhookUrl === undefined ? {} : { webhook: { url: webhookUrl, version: WEBHOOK_VERSION } }

/**
 * Sends BPOINT the amount, the reference and the kind of the payment of an auth key, which the browser cannot change. BPOINT is not sent
 * the return URL: an order without one is a recurring payment.
 * @returns why BPOINT did not accept the details; undefined when it did
 */
const putTransactionDetails = async (
  context: BpointContext,
  { merchantReference, amount, customerId, returnUrl }: ChargeOrder,
  authKey: string,
  email: string | undefined,
): Promise<NotPrepared | undefined> => {
  const { billerCode, testMode = false } = context.settings
  const body = {
    action: 'Payment',
    type: 'Internet',
    // A payment without its payer is one of a series.
    subType: returnUrl === null ? 'Recurring' : 'Single',
    amount: Number(amount.minor),
    currency: amount.currency,
    crn1: String(customerId),
    merchantReference: merchantReference,
    tokenisationMode: 'None',
    storeCard: false,
    bypass3ds: true,
    testMode,
    ...(billerCode === undefined ? {} : { billerCode }),
    ...(email === undefined ? {} : { emailAddress: email }),
  }
  return toFailure(await callBpoint(context, { method: 'PUT', path: `/txns/authkeys/${authKey}/txn-details`, body }))
}

/**
 * Why a call before the charge has failed; undefined when it has not. A failure that tells nothing is `not_sent`.
 * @param unusable the code of the decline of what BPOINT does not know; without one such an answer is `not_sent`
 */
const toFailure = (answer: BpointAnswer, unusable?: string): NotPrepared | undefined => {
  if (isDone(answer)) return undefined
  if (unusable !== undefined && isUnusable(answer))
    return { state: 'declined', reason: 'method_gone', providerCode: unusable, userMessage: declineTextOf('method_gone') }
  return toErrorDecline(answer) ?? { state: 'not_sent', detail: describeAnswer(answer) }
}

const WireAttached = Type.Object({
  accepted: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  token: Type.Optional(Type.Unknown()),
})

const NOT_ACCEPTED_TEXT = 'This kind of card is not accepted here. Please use another card.'

/**
 * Reads what may be shown of the card that the browser has attached to a key.
 * @returns a decline when no new card is attached; a stored method may be another customer's
 */
const readAttachedCard = async (context: BpointContext, authKey: string): Promise<MethodSummary | NotPrepared> => {
  const answer = await callBpoint(context, { method: 'GET', path: `/txns/authkeys/${authKey}/payment-method` })
  if (isUnusable(answer)) return declineTypedMethod('nothing_attached')
  const failed = toFailure(answer)
  if (failed !== undefined) return failed
  const { body } = answer
  const method = decodeMethod(body)
  if (!matchesSchema(WireAttached, body) || (body.token ?? null) !== null || method?.kind !== 'card') return declineTypedMethod('no_card')
  if (body.accepted === false)
    return { state: 'declined', reason: 'card_declined', providerCode: 'not_accepted', userMessage: NOT_ACCEPTED_TEXT }
  return summaryOf(method.details)
}

/** What may be shown of a method: brand, digits or mask, bank code. */
const summaryOf = ({ brand, last4, maskedNumber, bankCode }: MethodDetails): MethodSummary => ({
  ...(brand === undefined ? {} : { brand }),
  ...(last4 === undefined ? {} : { last4 }),
  ...(maskedNumber === undefined ? {} : { maskedNumber }),
  ...(bankCode === undefined ? {} : { bankCode }),
})
