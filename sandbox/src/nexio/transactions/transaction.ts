import { randomInt, randomUUID } from 'node:crypto'
import type { Fields } from '../api/fields.ts'
import { textField, objectField } from '../api/fields.ts'
import { GATEWAY_NAME } from '../api/nexio-error.ts'
import { fromMinor } from '../store/amounts.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import type { CheckResults } from './decline.ts'

/** A status as the transaction service writes it. */
export const STATUS = { pending: 3, captured: 10, authorized: 11, settled: 20, failed: 30, returned: 32, voided: 40 } as const

export type TransactionStatus = (typeof STATUS)[keyof typeof STATUS]

/** Each status as the payment service writes it. */
const STATUS_TEXTS: Readonly<Record<TransactionStatus, string>> = {
  3: 'pending',
  10: 'pending',
  11: 'authOnly',
  20: 'settled',
  30: 'declined',
  32: 'returned',
  40: 'void',
}

/** The card or bank account as responses show it. */
export interface ChargedMethod {
  readonly kind: 'card' | 'echeck'
  readonly cardHolder: string
  /** `411111******1111`, or the last four digits of a bank account. */
  readonly cardNumber: string
  readonly cardType: string | null
  /** The response's `card` or `bank`. */
  readonly shown: object
  /** The response's `token`. */
  readonly token: object
}

/** A payment or a refund. */
export interface Transaction {
  /** The payment id. */
  readonly id: string
  readonly object: 'transaction'
  /** The transaction service's own id. */
  readonly number: number
  readonly refNumber: string
  readonly merchantId: string
  readonly type: 'sale' | 'auth' | 'refund'
  readonly status: TransactionStatus
  /** In minor units of ISO 4217. */
  readonly amount: number
  readonly currency: string
  readonly method: ChargedMethod
  /** The request's `data`. */
  readonly data: Fields
  readonly results: CheckResults
  readonly authCode: string
  /** The gateway's words. */
  readonly message: string
  /** How much was refunded, in minor units. */
  readonly refunded: number
  /** The payment id of the refunded payment; a payment's own id. */
  readonly originalId: string
  readonly originalNumber: number | null
  readonly paymentOptionTag: string | null
  readonly createdAt: number
  readonly changedAt: number
  readonly capturedAt: number | null
  readonly settledAt: number | null
}

type NewTransaction = Pick<
  Transaction,
  'merchantId' | 'type' | 'status' | 'amount' | 'currency' | 'method' | 'data' | 'message' | 'results'
> &
  Partial<Pick<Transaction, 'originalId' | 'originalNumber' | 'paymentOptionTag'>>

/** A transaction with new ids, not stored yet. */
export const newTransaction = (session: NexioSession, fields: NewTransaction): Transaction => {
  const refNumber = randomUUID()
  const id = paymentId(fields.merchantId, refNumber, fields.currency)
  return {
    id,
    object: 'transaction',
    number: randomInt(100_000_000, 1_000_000_000),
    refNumber,
    authCode: String(randomInt(100_000, 1_000_000)),
    refunded: 0,
    originalId: id,
    originalNumber: null,
    paymentOptionTag: null,
    createdAt: session.now,
    changedAt: session.now,
    capturedAt: fields.status === STATUS.captured || fields.status === STATUS.settled ? session.now : null,
    settledAt: fields.status === STATUS.settled ? session.now : null,
    ...fields,
  }
}

/** The payment id: base64 of a JSON object with gateway, merchant, reference and currency. */
const paymentId = (merchantId: string, refNumber: string, currency: string): string =>
  Buffer.from(JSON.stringify({ name: GATEWAY_NAME, merchantId, refNumber, random: 0, currency: currency.toLowerCase() })).toString('base64')

/** The caller's own reference: the customer's `orderNumber`; empty without one. */
export const referenceOf = ({ data }: Pick<Transaction, 'data'>): string => textField(objectField(data, 'customer'), 'orderNumber') ?? ''

/** The transaction in the payment service's form, as `/process` answers it. */
export const paymentBody = (transaction: Transaction): object => {
  const { id, merchantId, authCode, status, type, currency, method, data, message, refNumber, results } = transaction
  const amount = fromMinor(transaction.amount, currency)
  return {
    id,
    merchantId,
    transactionDate: new Date(transaction.createdAt).toISOString(),
    authCode,
    transactionStatus: STATUS_TEXTS[status],
    amount,
    transactionType: type,
    currency,
    gatewayResponse: { result: message, batchRef: '1', refNumber, gatewayName: GATEWAY_NAME, message },
    data: { ...data, amount, currency, settlementCurrency: currency },
    [method.kind === 'card' ? 'card' : 'bank']: method.shown,
    kountResponse: { status: 'success' },
    token: method.token,
    ...results,
  }
}
