import { childOf, textIn, type XmlElement } from '../api/xml.ts'
import type { IPpaySession } from '../store/ippay-session.ts'
import {
  APPROVED,
  codeOfAmount,
  DECLINED,
  DUPLICATE,
  isAba,
  isAccountNumber,
  isCardNumber,
  isExpired,
  isExpiry,
  isTestCard,
} from './test-values.ts'
import { findToken, storeAccount, storeCard, type Token } from './tokens.ts'
import { findByTransactionId, isApproved, recordTransaction, sumReturned, type Transaction } from './transaction.ts'

/** A request of the gateway for one transaction. */
export interface RequestCall {
  readonly session: IPpaySession
  readonly element: XmlElement
  readonly transactionId: string
  /** Let the bank decline. */
  readonly isDeclined: boolean
}

/** A request that the gateway did not process. */
export class GatewayError extends Error {
  readonly actionCode: string

  constructor(actionCode: string, message: string) {
    super(message)
    this.actionCode = actionCode
  }
}

const INVALID_CARD = 'Invalid card number.  '

/** @throws GatewayError when the terminal used the transaction's id before */
const assertNewId = ({ session, transactionId }: RequestCall): void => {
  if (findByTransactionId(session, transactionId) !== undefined) throw new GatewayError(DUPLICATE, 'DUPLICATE TRANSMISSION')
}

/** The request's amount in cents. @throws GatewayError when it is no whole number above zero */
const amountOf = (element: XmlElement): number => {
  const text = textIn(element, 'TotalAmount')
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new GatewayError('920', 'Invalid amount')
  return Number(text)
}

/** The request's expiry date, two digits each. @throws GatewayError when it is not a month and a year */
const expiryOf = (element: XmlElement): { month: string; year: string } => {
  const expiry = { month: textIn(element, 'CardExpMonth'), year: textIn(element, 'CardExpYear') }
  if (!isExpiry(expiry)) throw new GatewayError('900', 'Invalid expiration date')
  return expiry
}

/** The cardholder, the order number and the three free fields of the request; empty where absent. */
const describeOrder = (element: XmlElement): Pick<Transaction, 'cardName' | 'orderNumber' | 'userFields'> => ({
  cardName: textIn(element, 'CardName'),
  orderNumber: textIn(element, 'OrderNumber'),
  userFields: ['UDField1', 'UDField2', 'UDField3'].map((name) => textIn(element, name)),
})

/**
 * Makes a token of a card or an account, or gives a token's card another expiry date. A declined request is recorded, too.
 * @throws GatewayError for a used id or a wrong number
 */
export const tokenize = (call: RequestCall): Transaction => {
  assertNewId(call)
  const { session, element, transactionId, isDeclined } = call
  const [number, account, token] = ['CardNum', 'AccountNumber', 'Token'].map((name) => textIn(element, name))
  if (account !== '') return tokenizeAccount(call, account ?? '')
  const known = token === '' ? undefined : findToken(session, token ?? '')
  const card = known?.kind === 'card' ? known.number : (number ?? '')
  if (!isCardNumber(card)) throw new GatewayError('900', INVALID_CARD)
  const expiry = expiryOf(element)
  if (isExpired(expiry, session.now))
    return recordTransaction(session, { transactionId, type: 'TOKENIZE', actionCode: '917', text: 'DECLINED' })
  if (isDeclined || !isTestCard(card))
    return recordTransaction(session, { transactionId, type: 'TOKENIZE', actionCode: DECLINED, text: 'DECLINED' })
  const stored = storeCard(session, card, expiry)
  return recordTransaction(session, {
    transactionId,
    type: 'TOKENIZE',
    actionCode: APPROVED,
    text: 'TOKENIZED',
    token: stored.token,
    ...expiry,
  })
}

/** Stores a bank account under a token and records that; a decline is only recorded. @throws GatewayError for a wrong number */
const tokenizeAccount = ({ session, element, transactionId, isDeclined }: RequestCall, account: string): Transaction => {
  const aba = textIn(element, 'ABA')
  if (!isAba(aba)) throw new GatewayError('923', 'Invalid ABA.')
  if (!isAccountNumber(account)) throw new GatewayError('924', 'Invalid DDA.')
  if (isDeclined) return recordTransaction(session, { transactionId, type: 'TOKENIZE', actionCode: DECLINED, text: 'DECLINED' })
  const { token } = storeAccount(session, account, aba)
  return recordTransaction(session, { transactionId, type: 'TOKENIZE', actionCode: APPROVED, text: 'TOKENIZED', token })
}

/**
 * Charges a card, records the sale, declined or not, and books the money of an approved sale. Any number but a test card's is declined.
 * @throws GatewayError for a used id or a wrong field
 */
export const sell = (call: RequestCall): Transaction => {
  assertNewId(call)
  const { session, element, transactionId, isDeclined } = call
  const amount = amountOf(element)
  const card = cardOf(call)
  const isPast = isExpired({ month: card.month ?? '', year: card.year ?? '' }, session.now)
  const actionCode = isDeclined || !isTestCard(card.number) ? DECLINED : isPast ? '054' : codeOfAmount(amount)
  const isPaid = actionCode === APPROVED
  const sale = recordTransaction(session, {
    transactionId,
    type: 'SALE',
    amount,
    actionCode,
    approval: isPaid ? `TEST${String(amount % 100).padStart(2, '0')}` : null,
    text: isPaid ? 'APPROVED' : 'DECLINED',
    token: card.token,
    month: card.month,
    year: card.year,
    cvv2: textIn(element, 'CVV2') === '' ? null : 'P',
    avs: textIn(element, 'BillingAddress') === '' ? null : 'Y',
    ...describeOrder(element),
  })
  if (isPaid) session.book({ id: sale.id, reference: transactionId, amount, status: 'succeeded', method: 'card' })
  return sale
}

/**
 * The card of a sale: a token's, or a typed one, which is stored under a token when it is a test card.
 * @throws GatewayError for an unknown token or a wrong number
 */
const cardOf = ({ session, element }: RequestCall): Token => {
  const token = textIn(element, 'Token')
  const known = token === '' ? undefined : findToken(session, token)
  if (token !== '') {
    if (known?.kind !== 'card') throw new GatewayError('900', INVALID_CARD)
    return textIn(element, 'CardExpMonth') === '' ? known : { ...known, ...expiryOf(element) }
  }
  const number = textIn(element, 'CardNum')
  if (!isCardNumber(number)) throw new GatewayError('900', INVALID_CARD)
  const expiry = expiryOf(element)
  const stored = isTestCard(number) ? storeCard(session, number, expiry) : undefined
  return stored ?? { id: '', object: 'token', token: '', kind: 'card', number, ...expiry, aba: null }
}

/** Debits a bank account; the debit is booked as pending and settles days later. @throws GatewayError for a used id or a wrong field */
export const debit = (call: RequestCall): Transaction => transferByBank(call, 'CHECK')

/** Pays money into a bank account, booked as a refund. @throws GatewayError for a used id or a wrong field */
export const reverse = (call: RequestCall): Transaction => transferByBank(call, 'REVERSAL')

/** Records a debit of a bank account, or a payment into an account, and books the money unless declined. */
const transferByBank = (call: RequestCall, type: 'CHECK' | 'REVERSAL'): Transaction => {
  assertNewId(call)
  const { session, element, transactionId, isDeclined } = call
  const amount = amountOf(element)
  const { token, checkNumber } = accountOf(call)
  const actionCode = isDeclined ? DECLINED : codeOfAmount(amount)
  const isPaid = actionCode === APPROVED
  const transfer = recordTransaction(session, {
    transactionId,
    type,
    amount,
    actionCode,
    approval: isPaid ? '000000' : null,
    text: isPaid ? 'CHECK ACCEPTED' : 'DECLINED',
    token,
    checkNumber,
    ...describeOrder(element),
  })
  const status = type === 'CHECK' ? 'pending' : 'refunded'
  if (isPaid) session.book({ id: transfer.id, reference: transactionId, amount, status, method: 'ach' })
  return transfer
}

/**
 * The token and check number of the request's bank account; a typed account is stored under a token.
 * @throws GatewayError for an unknown token or a wrong number
 */
const accountOf = ({ session, element }: RequestCall): { token: string; checkNumber: string } => {
  const ach = childOf(element, 'ACH')
  if (ach === undefined) throw new GatewayError('921', 'Invalid message format.')
  const checkNumber = textIn(ach, 'CheckNumber')
  const token = textIn(ach, 'Token')
  if (token !== '') {
    if (findToken(session, token)?.kind !== 'bank') throw new GatewayError('924', 'Invalid DDA.')
    return { token, checkNumber }
  }
  const [number, aba] = [textIn(ach, 'AccountNumber'), textIn(ach, 'ABA')]
  if (!isAba(aba)) throw new GatewayError('923', 'Invalid ABA.')
  if (!isAccountNumber(number)) throw new GatewayError('924', 'Invalid DDA.')
  return { token: storeAccount(session, number, aba).token, checkNumber }
}

/** The approved sale that a void or credit names by its TransactionID. @throws GatewayError when there is none */
const saleOf = ({ session, transactionId }: RequestCall): Transaction => {
  const sale = findByTransactionId(session, transactionId)
  if (sale?.type !== 'SALE' || !isApproved(sale)) throw new GatewayError('025', 'Transaction Not Found.')
  return sale
}

/**
 * Takes back a whole sale while its batch is open, and books the money. A declined void is recorded, too.
 * @throws GatewayError when the sale is settled, or a part was given back
 */
export const voidSale = (call: RequestCall): Transaction => {
  const { session, transactionId } = call
  const sale = saleOf(call)
  if (sale.settledAt !== null || sumReturned(session, sale) > 0)
    throw new GatewayError('021', 'No action taken (unable to back out prior transaction).')
  if (call.isDeclined) return recordTransaction(session, { transactionId, type: 'VOID', actionCode: DECLINED, text: 'DECLINED' })
  session.put<Transaction>({ ...sale, isVoided: true })
  const { amount } = sale
  const taken = recordTransaction(session, { transactionId, type: 'VOID', amount, actionCode: APPROVED, text: 'VOID PROCESSED' })
  session.book({ id: taken.id, reference: transactionId, amount, status: 'refunded', method: 'card' })
  return taken
}

/**
 * Gives back a sale or a part of it, settled or not, and books the money. A declined credit is recorded, too.
 * @throws GatewayError for more than is left
 */
export const credit = (call: RequestCall): Transaction => {
  const { session, element, transactionId, isDeclined } = call
  const sale = saleOf(call)
  const amount = amountOf(element)
  if (amount + sumReturned(session, sale) > sale.amount) throw new GatewayError('942', 'Refund Not Allowed.')
  if (isDeclined) return recordTransaction(session, { transactionId, type: 'CREDIT', amount, actionCode: DECLINED, text: 'DECLINED' })
  const given = recordTransaction(session, { transactionId, type: 'CREDIT', amount, actionCode: APPROVED, text: 'RETURN ACCEPTED' })
  session.book({ id: given.id, reference: transactionId, amount, status: 'refunded', method: 'card' })
  return given
}

/** The transaction that used the TransactionID first. @throws GatewayError when there is none */
export const enquire = ({ session, transactionId }: RequestCall): Transaction => {
  const found = findByTransactionId(session, transactionId)
  if (found === undefined) throw new GatewayError('940', 'Record Not Found.')
  return found
}
