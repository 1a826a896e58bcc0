import { type Fields, objectField, textField } from '../api/fields.ts'
import { currencyIdOf, fromMinor } from '../store/amounts.ts'
import { PROCESS_METHOD } from './transaction-changes.ts'
import { referenceOf, type Transaction } from './transaction.ts'

const TRANSACTION_TYPES: Readonly<Record<Transaction['type'], number>> = { sale: 10, auth: 20, refund: 40 }
const CARD_TYPES: Readonly<Record<string, number>> = { visa: 10, mastercard: 20, discover: 30, amex: 40, jcb: 50 }
const GATEWAY_TYPE = 90

/** The objects that a list contains only when its query names them. */
const DETAILS = ['plugin', 'gateway', 'customer', 'kount'] as const

/** The transaction with all its details, in the transaction service's form. */
export const fullRecord = (transaction: Transaction): object => ({ ...basicRecord(transaction), ...detailsOf(transaction) })

/** The transaction in a list, with those details that the query names, as `plugin.` or by a filter such as `plugin.orderNumber`. */
export const listedRecord = (transaction: Transaction, query: Fields): object => {
  const details = detailsOf(transaction)
  const isNamed = (detail: string) => Object.keys(query).some((name) => name === detail || name.startsWith(`${detail}.`))
  return { ...basicRecord(transaction), ...Object.fromEntries(DETAILS.filter(isNamed).map((detail) => [detail, details[detail]])) }
}

/** The transaction in the transaction service's form, without the objects of DETAILS. */
const basicRecord = (transaction: Transaction): object => {
  const { number, merchantId, amount, currency, authCode, status, type, method, originalNumber } = transaction
  const { cardNumber, cardHolder, cardType, kind } = method
  return {
    id: number,
    merchantId,
    transactionDate: isoTime(transaction.createdAt),
    amount: fromMinor(amount, currency),
    authCode,
    transactionStatus: status,
    transactionType: TRANSACTION_TYPES[type],
    cardType: CARD_TYPES[cardType ?? ''] ?? null,
    cardNumber,
    cardHolder,
    processMethod: PROCESS_METHOD,
    achDetailId: kind === 'echeck' ? number : null,
    currencyId: currencyIdOf(currency),
    reportDate: null,
    settledDate: isoTime(transaction.settledAt),
    capturedDate: isoTime(transaction.capturedAt),
    originalTransactionId: originalNumber,
    createdAt: isoTime(transaction.createdAt),
    updatedAt: isoTime(transaction.changedAt),
  }
}

/** The objects of DETAILS of a transaction. */
const detailsOf = (transaction: Transaction): Readonly<Record<(typeof DETAILS)[number], object>> => {
  const { number: transactionId, merchantId, originalId, refNumber, message, data, paymentOptionTag } = transaction
  const customer = objectField(data, 'customer')
  const valueOf = (name: string): string | null => textField(customer, name) ?? null
  return {
    plugin: { originalId, invoice: valueOf('invoice'), orderNumber: referenceOf(transaction), paymentOptionTag, transactionId },
    gateway: { merchantId, batchRef: null, refNumber, gatewayType: GATEWAY_TYPE, message, transactionId },
    customer: {
      firstName: valueOf('firstName'),
      lastName: valueOf('lastName'),
      postalCode: valueOf('billToPostal'),
      phone: valueOf('phone'),
      email: valueOf('email'),
      customerRef: valueOf('customerRef'),
      transactionId,
    },
    kount: { status: 'success', transactionId },
  }
}

const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
