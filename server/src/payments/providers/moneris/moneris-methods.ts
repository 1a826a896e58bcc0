import { declineTypedMethod } from '../decline.ts'
import type { StoreMethodResult } from '../storing.ts'
import type { KnownMethod, MethodDetails, TypedMethod, NewMethod, RawCard } from '../method.ts'
import { brandOfType } from './moneris-brands.ts'
import { type Answer, type MonerisContext, sendTransaction, type TransactionName } from './moneris-client.ts'
import { CRYPT_TYPE, isTemporaryToken, toCvdInfo, toExpdate } from './moneris-charges.ts'
import { quoteMessage, readOutcome } from './moneris-codec.ts'
import { declineOfCode, declineOfMessage, isUnknownDataKey, WRONG_CODE_DECLINE } from './moneris-declines.ts'
import type { Receipt, XmlFields } from './moneris-xml.ts'

/** The first use of a card that its holder lets us store. */
const FIRST_USE = { payment_indicator: 'C', payment_information: '0', issuer_id: '' }

/**
 * Verifies a card, then stores it in Moneris' vault; a wrong security code declines it although the issuer approves. The verification's
 * issuer id is what later charges name as the holder's consent.
 */
const storeMethod = async (
  context: MonerisContext,
  _providerCustomerId: string,
  { typedMethod, email, phone }: NewMethod,
  { id, customerId }: { id: string; customerId: number },
): Promise<StoreMethodResult> => {
  const transactions = storingTransactions(typedMethod)
  if (transactions === undefined) return declineTypedMethod('unreadable')
  const { verification, storing } = transactions
  const verified = readStoreAnswer(await sendTransaction(context, verification.name, verification.fields(id)))
  if ('state' in verified) return verified
  if (verified.receipt['CvdResultCode']?.endsWith('N')) return WRONG_CODE_DECLINE
  const issuerId = verified.receipt['IssuerId']
  const cof_info = issuerId === undefined ? undefined : { issuer_id: issuerId }
  const stored = readStoreAnswer(
    await sendTransaction(context, storing.name, { ...storing.fields({ cust_id: String(customerId), phone, email }), cof_info }),
  )
  return 'state' in stored ? stored : toStoredResult(stored.receipt, { CardType: verified.receipt['CardType'], issuerId, phone, email })
}

interface StoringTransactions {
  readonly verification: { readonly name: TransactionName; readonly fields: (orderId: string) => XmlFields }
  readonly storing: { readonly name: TransactionName; readonly fields: (contact: XmlFields) => XmlFields }
}

/** The two requests that verify and store a card; undefined for what is neither a typed card nor a temporary token. */
const storingTransactions = (typedMethod: TypedMethod): StoringTransactions | undefined => {
  if (typedMethod.kind === 'card') return cardTransactions(typedMethod.card)
  return typedMethod.kind === 'token' && isTemporaryToken(typedMethod.token) ? tokenTransactions(typedMethod.token) : undefined
}

/** The two requests that verify and store a card by its number in the clear. */
const cardTransactions = (card: RawCard): StoringTransactions => {
  const cardFields = { pan: card.number.open(), expdate: toExpdate(card), crypt_type: CRYPT_TYPE }
  return {
    verification: {
      name: 'card_verification',
      fields: (order_id) => ({ order_id, ...cardFields, cvd_info: toCvdInfo(card), cof_info: FIRST_USE }),
    },
    storing: { name: 'res_add_cc', fields: (contact) => ({ ...contact, ...cardFields }) },
  }
}

/** The two requests that verify and store the card behind a temporary token, with which a typed security code goes along. */
const tokenTransactions = (data_key: string): StoringTransactions => ({
  verification: {
    name: 'res_card_verification_cc',
    fields: (order_id) => ({ data_key, order_id, crypt_type: CRYPT_TYPE, cof_info: FIRST_USE }),
  },
  storing: { name: 'res_add_token', fields: (contact) => ({ data_key, ...contact, crypt_type: CRYPT_TYPE }) },
})

/** The receipt of what was approved, or why nothing was stored. */
const readStoreAnswer = (answer: Answer): { readonly receipt: Receipt } | Exclude<StoreMethodResult, { state: 'succeeded' }> => {
  if (!('receipt' in answer)) return { state: 'unknown', detail: answer.detail }
  const outcome = readOutcome(answer.receipt)
  switch (outcome.state) {
    case 'approved':
      return answer
    case 'declined':
      return declineOfCode(outcome.code)
    case 'rejected':
      return declineOfMessage(outcome.message) ?? { state: 'unknown', detail: `moneris says ${quoteMessage(outcome.message)}` }
    case 'unknown':
      return outcome
  }
}

interface Shown {
  readonly CardType: string | undefined
  readonly issuerId: string | undefined
  readonly phone: string | undefined
  readonly email: string | undefined
}

/** The stored card that a receipt of the vault tells of, with what was known before; unknown where the receipt names no data key. */
const toStoredResult = (receipt: Receipt, { CardType = '', issuerId, phone, email }: Shown): StoreMethodResult => {
  const method = decodeStoredCard(receipt)
  if (method === undefined) return { state: 'unknown', detail: 'moneris stored a card and did not say which' }
  const details = {
    ...method.details,
    ...brandOfType(CardType),
    ...(phone === undefined ? {} : { phone }),
    ...(email === undefined ? {} : { email }),
    ...(issuerId === undefined ? {} : { networkRef: issuerId }),
  }
  return { state: 'succeeded', method: { kind: 'card', type: 'card', token: method.token, status: 'ready', details } }
}

/** A stored card with what its receipt shows of it; undefined where the vault does not say that it has it. */
export const decodeStoredCard = (receipt: Receipt): { token: string; details: MethodDetails } | undefined => {
  const { DataKey: token, ResSuccess = 'true' } = receipt
  if (readOutcome(receipt).state !== 'approved' || ResSuccess !== 'true' || token === undefined || isTemporaryToken(token)) return undefined
  const last4 = /\d{4}$/.exec(receipt['ResolveData.masked_pan'] ?? '')?.[0]
  const [, year, month] = /^(\d{2})(\d{2})$/.exec(receipt['ResolveData.expdate'] ?? '') ?? []
  return {
    token,
    details: {
      ...(last4 === undefined ? {} : { last4 }),
      ...(month === undefined ? {} : { expMonth: Number(month), expYear: 2000 + Number(year) }),
    },
  }
}

/**
 * Deletes a card from Moneris' vault; one that Moneris does not know counts as removed.
 * @throws Error when it may still be there
 */
const removeMethod = async (context: MonerisContext, { token }: KnownMethod): Promise<void> => {
  const answer = await sendTransaction(context, 'res_delete', { data_key: token })
  if (!('receipt' in answer)) throw new Error(answer.detail)
  const outcome = readOutcome(answer.receipt)
  if (outcome.state === 'approved' || (outcome.state === 'rejected' && isUnknownDataKey(outcome.message))) return
  throw new Error(`moneris did not remove the card: ${'message' in outcome ? quoteMessage(outcome.message) : outcome.state}`)
}

export const monerisMethods = { store: storeMethod, remove: removeMethod }
