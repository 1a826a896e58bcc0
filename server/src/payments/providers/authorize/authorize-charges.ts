import { toDecimalText } from '@counterfoil/contract/kit/money'
import { Type } from 'typebox'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import type { SealedText } from '../../../kit/sealed-text.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult } from '../charge-result.ts'
import { declineTypedMethod } from '../decline.ts'
import type { ChargeOrder } from '../order.ts'
import type { NotPrepared, PreparedCharge } from '../prepared-charge.ts'
import type { KnownMethod, TypedMethod, NewCard } from '../method.ts'
import {
  type Answer,
  type AuthorizeContext,
  describeError,
  type Fields,
  isNotFound,
  queryAuthorize,
  sendCharge,
} from './authorize-client.ts'
import { isDecided, isRejection, toDecline } from './authorize-declines.ts'
import { toBillTo } from './authorize-billing.ts'
import { lookUp } from './authorize-look-up.ts'
import { CURRENCY } from './authorize-transactions.ts'

/** Of the eight hours that a repetition of the same charge is rejected: our reference is part of it, so that no other charge is one. */
const DUPLICATE_WINDOW_SECONDS = 28_800
const MAX_DESCRIPTION = 255
/** The longest card number of the gateway's schema. */
const MAX_CARD_DIGITS = 16

const WireResult = Type.Object({
  responseCode: Type.String(),
  transId: Type.String(),
  testRequest: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.Object({ errorCode: Type.String(), errorText: Type.String() }))),
})

/**
 * Prepares the charge of a stored card or account by its profiles at Authorize.net, beside which neither address nor customer may be sent.
 * Nothing is sent before `submit`, whose decline also says whether the customer is gone there.
 */
const prepareStoredMethodCharge = async (
  context: AuthorizeContext,
  order: ChargeOrder,
  method: KnownMethod,
): Promise<PreparedCharge | NotPrepared> => {
  const { token, kind, providerCustomerId, details } = method
  if (providerCustomerId === null) return { state: 'not_sent', detail: 'the customer is not known at authorize' }
  const isAttended = order.returnUrl !== null
  const networkRef = isAttended ? undefined : details.networkRef
  const prepared = prepareCharge(context, order, kind === 'bank', {
    profile: { customerProfileId: providerCustomerId, paymentProfile: { paymentProfileId: token } },
    ...orderFields(order),
    ...addressAndSettings(order),
    ...(kind === 'bank' ? {} : { processingOptions: isAttended ? { isStoredCredentials: true } : { isSubsequentAuth: true } }),
    ...(kind === 'bank' || networkRef === undefined ? {} : { subsequentAuthInformation: { originalNetworkTransId: networkRef } }),
  })
  if ('state' in prepared) return prepared
  return {
    ...prepared,
    submit: async (permit) => {
      const result = await prepared.submit(permit)
      const isGone = result.state === 'declined' && result.providerCode === 'E00040' && (await isCustomerGone(context, providerCustomerId))
      return isGone ? { ...result, isCustomerGone: true } : result
    },
  }
}

/** Whether Authorize.net says that it has no such customer profile. False also when the question cannot be answered. */
export const isCustomerGone = async (context: AuthorizeContext, customerProfileId: string): Promise<boolean> => {
  try {
    await queryAuthorize(context, 'getCustomerProfileRequest', { customerProfileId })
    return false
  } catch (error) {
    return isNotFound(error)
  }
}

/**
 * Prepares the charge of a card that was typed on our page, or of the pair of descriptor and value that Accept.js made of the card.
 * Nothing is sent before `submit`.
 */
const prepareNewCardCharge = async (
  context: AuthorizeContext,
  order: ChargeOrder,
  card: NewCard,
): Promise<PreparedCharge | NotPrepared> => {
  const payment = toCardPayment(card.typedMethod)
  if (payment === undefined) return declineTypedMethod('unreadable')
  if (payment === 'too long') return toDecline('6', 'The number of this card has more digits than can be accepted.')
  const billTo = toBillTo(card)
  return prepareCharge(context, order, false, {
    payment,
    ...orderFields(order),
    customer: { id: String(order.customerId), ...(card.email === undefined ? {} : { email: card.email.slice(0, 255) }) },
    ...(billTo === undefined ? {} : { billTo }),
    ...addressAndSettings(order),
  })
}

/**
 * The payment fields of a request: the card in the clear, or the opaque pair of Accept.js. Undefined for a kind that is not a card, or a
 * token that is not such a pair.
 */
export const toCardPayment = (typedMethod: TypedMethod): Fields | 'too long' | undefined => {
  if (typedMethod.kind === 'token') return toOpaqueData(typedMethod.token)
  if (typedMethod.kind !== 'card') return undefined
  const { number, expMonth, expYear, securityCode } = typedMethod.card
  if (number.open().length > MAX_CARD_DIGITS) return 'too long'
  const expirationDate = `${expYear}-${String(expMonth).padStart(2, '0')}`
  return { creditCard: { cardNumber: number.open(), expirationDate, ...toCardCode(securityCode) } }
}

/** The field with a security code in the clear; no field without one. */
const toCardCode = (code: SealedText | null): Fields => (code === null ? {} : { cardCode: code.open() })

/** The opaque pair of Accept.js, which comes in one text as `dataDescriptor|dataValue`; undefined for any other text. */
const toOpaqueData = (token: string): Fields | undefined => {
  const [, dataDescriptor, dataValue] = /^([A-Z._]{1,100})\|(\S{1,8000})$/i.exec(token) ?? []
  return dataDescriptor === undefined ? undefined : { opaqueData: { dataDescriptor, dataValue } }
}

/** The order of a charge request: our reference is the invoice number there, and our invoice numbers are the description. */
const orderFields = ({ merchantReference, invoiceNumbers }: ChargeOrder): Fields => ({
  order: { invoiceNumber: merchantReference, description: invoiceNumbers.join(', ').slice(0, MAX_DESCRIPTION) },
})

/**
 * The payer's IP address where it is known, and the settings of every charge: no partial approval, no duplicate, no e-mail to the payer.
 */
const addressAndSettings = ({ client }: ChargeOrder): Fields => ({
  ...(client === null ? {} : { customerIP: client.ip }),
  transactionSettings: {
    setting: [
      { settingName: 'allowPartialAuth', settingValue: 'false' },
      { settingName: 'duplicateWindow', settingValue: String(DUPLICATE_WINDOW_SECONDS) },
      { settingName: 'emailCustomer', settingValue: 'false' },
    ],
  },
})

/** A charge in USD that `submit` sends; `not_sent` for any other currency. An approval is then compared with Authorize.net's books. */
const prepareCharge = (context: AuthorizeContext, order: ChargeOrder, isDebit: boolean, fields: Fields): PreparedCharge | NotPrepared => {
  if (order.amount.currency !== CURRENCY) return { state: 'not_sent', detail: `authorize charges ${CURRENCY} alone` }
  const transactionRequest = { amount: toDecimalText(order.amount), currencyCode: CURRENCY, ...fields }
  return {
    // Authorize.net lists our reference, and tells its own id with the answer alone.
    providerRef: null,
    submit: async (permit) => {
      const result = await readAnswer(sendCharge(context, permit, order.merchantReference, transactionRequest), (answer) =>
        decodeCharge(answer, order, isDebit),
      )
      return result.state === 'succeeded' ? compareWithBooks(context, order, result) : result
    },
  }
}

/**
 * The result of a transaction request, never thrown: a request that certainly did not arrive is `not_sent`, any other failure is `unknown`.
 */
export const readAnswer = async (answer: Promise<Answer>, decode: (answer: Answer) => ChargeResult): Promise<ChargeResult> => {
  try {
    return decode(await answer)
  } catch (error) {
    const isUnsent = error instanceof NoResponseError && !error.mayHaveArrived
    return { state: isUnsent ? 'not_sent' : 'unknown', detail: describeError(error) }
  }
}

/** What the answer to a transaction says, before its approval is interpreted. */
export type TransactionOutcome = Exclude<ChargeResult, { state: 'succeeded' | 'processing' | 'requires_action' }> | AcceptedTransaction

interface AcceptedTransaction {
  readonly state: 'accepted'
  /** "0" when it was not stored. */
  readonly transId: string
  /** Whether the merchant has to review it first. */
  readonly isHeld: boolean
  readonly isTest: boolean
}

/**
 * Decodes the answer to a transaction, without throwing: its response code decides, or the message's error code where there is no
 * transaction. An answer with another `refId`, or anything unclear, is unknown.
 */
export const decodeOutcome = ({ body, code, text }: Answer, refId: string): TransactionOutcome => {
  // Ignore answers about another payment.
  if (body['refId'] !== refId) return { state: 'unknown', detail: 'authorize answered for another payment' }
  const result = body['transactionResponse']
  if (result === undefined && isRejection(code)) return toDecline(code, text)
  if (!matchesSchema(WireResult, result)) return { state: 'unknown', detail: `authorize answered ${code}` }
  const { responseCode, transId, testRequest, errors = [] } = result
  const [{ errorCode, errorText } = { errorCode: responseCode, errorText: '' }] = errors
  if (responseCode === '2' || responseCode === '3')
    return isDecided(errorCode) ? toDecline(errorCode, errorText) : { state: 'unknown', detail: `authorize answered ${errorCode}` }
  const isStored = /^[1-9]\d{0,19}$/.test(transId)
  const isTest = testRequest !== undefined && testRequest !== '0'
  return responseCode === '1' || (responseCode === '4' && isStored)
    ? { state: 'accepted', transId: isStored ? transId : '0', isHeld: responseCode === '4', isTest }
    : { state: 'unknown', detail: `authorize answered with the response code ${responseCode.slice(0, 5)}` }
}

/**
 * The result that the answer to a charge stands for. An approved debit, and a charge held for review, are `processing`; a test account's
 * approval is a decline.
 */
export const decodeCharge = (
  answer: Answer,
  { merchantReference, amount }: Pick<ChargeOrder, 'merchantReference' | 'amount'>,
  isDebit: boolean,
): ChargeResult => {
  const outcome = decodeOutcome(answer, merchantReference)
  if (outcome.state !== 'accepted') return outcome
  const { transId: providerRef, isHeld, isTest } = outcome
  if (isTest) return toDecline('E00009', 'The account is in test mode.')
  if (providerRef === '0') return { state: 'unknown', detail: 'authorize approved it and did not store it' }
  return isDebit || isHeld ? { state: 'processing', providerRef } : { state: 'succeeded', providerRef, amount, refunded: 0n, reversed: 0n }
}

/**
 * Reads the details of an approved charge, because the answer states no amount: the result has theirs. Details that contradict the approval
 * make the result unknown; where they cannot be read, the approval stands.
 */
const compareWithBooks = async (
  context: AuthorizeContext,
  { merchantReference, amount, methodType }: ChargeOrder,
  result: Extract<ChargeResult, { state: 'succeeded' }>,
): Promise<ChargeResult> => {
  const { providerRef } = result
  const stored = await lookUp(context, { merchantReference, providerRef, amount, methodType, method: null, sentAt: context.now })
  if (stored.state === 'succeeded') return { ...result, amount: stored.amount }
  return stored.state === 'unknown' ? result : { state: 'unknown', detail: `authorize approved it, and its details say ${stored.state}` }
}

export const authorizeCharges = { prepareStoredMethodCharge, prepareNewCardCharge }
