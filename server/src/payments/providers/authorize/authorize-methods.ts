import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import { RefusedByProvider, declineTypedMethod } from '../decline.ts'
import { CustomerGone, type StoreMethodResult } from '../storing.ts'
import type { BankAccount, KnownMethod, MethodDetails, TypedMethod, NewMethod, StoredMethod } from '../method.ts'
import { toBillTo } from './authorize-billing.ts'
import {
  type Answer,
  type AuthorizeContext,
  callAuthorize,
  describeError,
  type Fields,
  isNotFound,
  queryAuthorize,
} from './authorize-client.ts'
import { isCustomerGone, toCardPayment } from './authorize-charges.ts'
import { isStoreDecline, toDecline } from './authorize-declines.ts'
import { DEBIT_TYPE, decodeProfile, type PaymentProfile, toBankPayment, toChangedProfile, toStoredMethod } from './authorize-profiles.ts'

const MAX_CUSTOMER_ID = 20
const MAX_DESCRIPTION = 255

/**
 * How Authorize.net validates a method when it is stored: a card is authorized over nothing, so that a bad one is declined; a bank account
 * is only stored.
 */
const validationModeOf = (isCard: boolean): string => (isCard ? 'liveMode' : 'none')

/**
 * Stores a card or a bank account as a payment profile of the customer. A method that is stored already succeeds with its profile; a lost
 * answer is `unknown`.
 * @throws CustomerGone when Authorize.net does not know the customer
 */
const storeMethod = async (context: AuthorizeContext, customerProfileId: string, input: NewMethod): Promise<StoreMethodResult> => {
  const payment = toPayment(input)
  if (payment === undefined) return declineTypedMethod('unreadable')
  if ('state' in payment) return payment
  const { holder: _nameOnAccount, ...withoutHolder } = input
  const billTo = toBillTo(input.type === 'card' ? input : withoutHolder)
  const request = {
    customerProfileId,
    paymentProfile: { ...(billTo === undefined ? {} : { billTo }), payment: payment.fields },
    validationMode: validationModeOf(input.type === 'card'),
  }
  let answer: Answer
  try {
    answer = await callAuthorize(context, 'createCustomerPaymentProfileRequest', request)
  } catch (error) {
    return { state: 'unknown', detail: describeError(error) }
  }
  const id = answer.isOk || answer.code === 'E00039' ? decodeProfileId(answer.body) : undefined
  if (id !== undefined) return readStoredMethod(context, customerProfileId, id, input)
  if (answer.code === 'E00040' && (await isCustomerGone(context, customerProfileId)))
    throw new CustomerGone('authorize does not know the customer')
  return toStoreDecline(answer)
}

type Payment = { readonly fields: Fields } | Extract<StoreMethodResult, { state: 'declined' }> | undefined

/**
 * The payment fields of a method to store; a decline for a number that cannot be used, undefined for a kind of method that is not taken.
 */
const toPayment = ({ typedMethod, holder = '', type }: NewMethod): Payment => {
  if (typedMethod.kind === 'bank') return type === DEBIT_TYPE ? toAccountPayment(typedMethod.account, holder) : undefined
  const card = toCardPayment(typedMethod)
  if (card === 'too long') return toDecline('6', 'The number of this card has more digits than can be accepted.')
  return card && { fields: card }
}

/** The payment fields of a bank account, its number in the clear; a decline where the routing number is wrong. */
const toAccountPayment = ({ number, bankCode, bankName, accountType }: BankAccount, holder: string): Payment => {
  if (!isRoutingNumber(bankCode)) return toDecline('9', 'This is not a routing number. Please check it.')
  // A consent given on a page; business accounts are debited under rules of their own.
  const echeckType = accountType === 'businessChecking' ? 'CCD' : 'WEB'
  const account = { accountType, routingNumber: bankCode, accountNumber: number.open(), nameOnAccount: holder, echeckType, bankName }
  return { fields: toBankPayment(account) }
}

const ABA_WEIGHTS = [3, 7, 1]

/** Whether a routing number has nine digits and the check digit of the American Bankers Association. */
export const isRoutingNumber = (routing: string): boolean =>
  /^\d{9}$/.test(routing) && [...routing].reduce((sum, digit, place) => sum + Number(digit) * (ABA_WEIGHTS[place % 3] ?? 0), 0) % 10 === 0

const WireProfileId = Type.Object({ customerPaymentProfileId: Type.String({ pattern: '^\\d{1,20}$' }) })

/** The id of a new method, or of the same one that is stored already; undefined where the answer has none. */
const decodeProfileId = (body: Fields): string | undefined =>
  matchesSchema(WireProfileId, body) ? body.customerPaymentProfileId : undefined

/** A stored method as Authorize.net shows it; where it cannot be read, what was typed is shown. Always a success. */
const readStoredMethod = async (
  context: AuthorizeContext,
  customerProfileId: string,
  token: string,
  input: NewMethod,
): Promise<StoreMethodResult> => {
  const profile = await readProfile(context, customerProfileId, token).catch(() => undefined)
  const method = profile && toStoredMethod(profile)
  const kind = input.typedMethod.kind === 'bank' ? 'bank' : 'card'
  return { state: 'succeeded', method: method ?? { kind, type: input.type, token, status: 'ready', details: toTypedDetails(input) } }
}

/** What may be shown of a method as it was typed: names, address, and of its number the last four digits. */
const toTypedDetails = ({ typedMethod, holder, legalName, address }: NewMethod): MethodDetails => ({
  ...(holder === undefined ? {} : { name: holder }),
  ...(legalName === undefined ? {} : { legalName }),
  ...(address === undefined ? {} : { address }),
  ...toTypedNumber(typedMethod),
})

/** What may be shown of a typed number: the last four digits with a card's expiry or an account's bank; nothing of a token. */
const toTypedNumber = (typedMethod: TypedMethod): MethodDetails => {
  if (typedMethod.kind === 'card')
    return { last4: typedMethod.card.number.open().slice(-4), expMonth: typedMethod.card.expMonth, expYear: typedMethod.card.expYear }
  if (typedMethod.kind !== 'bank') return {}
  const { number, bankCode, bankName, accountType } = typedMethod.account
  return {
    last4: number.open().slice(-4),
    bankCode: `XXXX${bankCode.slice(-4)}`,
    ...(bankName === undefined ? {} : { bankName }),
    ...(accountType === undefined ? {} : { accountType }),
  }
}

/**
 * Reads a payment profile with its expiry unmasked.
 * @throws RejectedRequest when there is none; Error for another method or no answer
 */
const readProfile = async (context: AuthorizeContext, customerProfileId: string, id: string): Promise<PaymentProfile> => {
  const request = { customerProfileId, customerPaymentProfileId: id, unmaskExpirationDate: true }
  const { paymentProfile } = await queryAuthorize(context, 'getCustomerPaymentProfileRequest', request)
  const profile = decodeProfile(paymentProfile)
  if (profile?.customerPaymentProfileId !== id) throw new Error('authorize answered for another method')
  return profile
}

/**
 * The decline of a method that was not stored; unknown where Authorize.net could not work on the request. The reason is the validation's
 * own where it gives one.
 */
const toStoreDecline = ({ body, code, text }: Answer): StoreMethodResult => {
  if (!isStoreDecline(code)) return { state: 'unknown', detail: `authorize answered ${code}` }
  const validation = body['validationDirectResponse']
  const [, , reasonCode = '', reason = ''] = typeof validation === 'string' ? validation.split(',') : []
  return reasonCode === '' ? toDecline(code, text) : toDecline(reasonCode, reason)
}

/**
 * Changes a method at Authorize.net. An update replaces all of it, so what is stored is read first and sent back, masked where it is
 * secret. A lost answer is `unknown`, a missing method a decline.
 */
const updateMethod = async (
  context: AuthorizeContext,
  { token, kind, providerCustomerId }: KnownMethod,
  changes: Omit<MethodDetails, 'brand' | 'last4' | 'networkRef'>,
): Promise<StoreMethodResult> => {
  try {
    const customerProfileId = providerCustomerId ?? ''
    const paymentProfile = toChangedProfile(await readProfile(context, customerProfileId, token), changes)
    const request = { customerProfileId, paymentProfile, validationMode: validationModeOf(kind === 'card') }
    const answer = await callAuthorize(context, 'updateCustomerPaymentProfileRequest', request)
    if (!answer.isOk) return toStoreDecline(answer)
    const method = toStoredMethod(await readProfile(context, customerProfileId, token))
    return method === undefined ? { state: 'unknown', detail: 'authorize answered in an unknown format' } : { state: 'succeeded', method }
  } catch (error) {
    return isNotFound(error) ? toDecline('E00040', '') : { state: 'unknown', detail: describeError(error) }
  }
}

/**
 * Deletes a payment profile at Authorize.net; one that is gone counts as removed. Without a customer profile nothing is sent.
 * @throws Error when the profile may still be there
 */
const removeMethod = async (context: AuthorizeContext, { token, providerCustomerId }: KnownMethod): Promise<void> => {
  if (providerCustomerId === null) return
  try {
    const request = { customerProfileId: providerCustomerId, customerPaymentProfileId: token }
    await queryAuthorize(context, 'deleteCustomerPaymentProfileRequest', request)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

const WireCustomer = Type.Object({ paymentProfiles: Type.Optional(Type.Array(Type.Unknown())) })

/**
 * The customer's methods of these types as Authorize.net has them now, oldest first by id. Profiles that cannot be read are left out.
 * @throws Error when Authorize.net refuses or does not answer
 */
const listMethods = async (context: AuthorizeContext, customerProfileId: string, types: readonly string[]): Promise<StoredMethod[]> => {
  const { profile } = await queryAuthorize(context, 'getCustomerProfileRequest', { customerProfileId, unmaskExpirationDate: true })
  if (!matchesSchema(WireCustomer, profile)) throw new Error('authorize answered in an unknown format')
  return (profile.paymentProfiles ?? [])
    .flatMap((one) => decodeProfile(one) ?? [])
    .flatMap((one) => toStoredMethod(one) ?? [])
    .filter(({ type }) => types.includes(type))
    .toSorted((one, other) => one.token.length - other.token.length || (one.token < other.token ? -1 : 1))
}

/**
 * Creates a customer profile. A repeated call with the same reference and key finds the first call's profile, also when that call's answer
 * was lost.
 * @returns the profile's id
 * @throws RefusedByProvider when Authorize.net refuses the profile; Error when it is not known whether the profile was created
 */
const createCustomer = async (
  context: AuthorizeContext,
  { reference, name, key }: { reference: string; name: string; key: string },
): Promise<string> => {
  const merchantCustomerId = `${reference}-${key}`.slice(0, MAX_CUSTOMER_ID)
  const profile = { merchantCustomerId, ...(name === '' ? {} : { description: name.slice(0, MAX_DESCRIPTION) }) }
  const answer = await callAuthorize(context, 'createCustomerProfileRequest', { profile })
  const { customerProfileId: id } = answer.body
  if (answer.isOk && typeof id === 'string' && /^\d+$/.test(id)) return id
  if (answer.code !== 'E00039' && isStoreDecline(answer.code)) throw new RefusedByProvider(toDecline(answer.code, answer.text))
  if (answer.code !== 'E00039') throw new Error(`authorize answered ${answer.code}: ${answer.text}`)
  return /\bID (\d+)\b/.exec(answer.text)?.[1] ?? readCustomerProfileId(context, merchantCustomerId)
}

/** Reads the id of the customer profile with our id. @throws Error when Authorize.net knows no such customer or does not answer */
const readCustomerProfileId = async (context: AuthorizeContext, merchantCustomerId: string): Promise<string> => {
  const { profile } = await queryAuthorize(context, 'getCustomerProfileRequest', { merchantCustomerId })
  const { customerProfileId: id } = (profile ?? {}) as { customerProfileId?: unknown }
  if (typeof id !== 'string') throw new Error('authorize answered in an unknown format')
  return id
}

export const authorizeMethods = { store: storeMethod, update: updateMethod, remove: removeMethod, list: listMethods, createCustomer }
