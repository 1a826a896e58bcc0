import { randomInt } from 'node:crypto'
import { notFound } from '../api/bpoint-error.ts'
import { type PaymentMethod, shownMethod } from '../payment-methods/attached-method.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import { sydneyTime } from '../store/sydney-time.ts'
import type { Answer } from './bank-answers.ts'
import type { TxnDetails } from './txn-details.ts'

/** A payment, a refund or a reversal, approved or not. */
export interface Transaction extends TxnDetails, Answer {
  /** The transaction's number. */
  readonly id: string
  readonly object: 'txn'
  readonly method: PaymentMethod
  /** The token that paid; null for a method that was sent. */
  readonly token: string | null
  readonly receiptNumber: string
  readonly processedAt: number
  /** `YYYYMMDD`; null while a debit is on its way, and when it failed on it. */
  readonly settlementDate: string | null
  /** Where its events go; null for nowhere. */
  readonly webhookUrl: string | null
}

/** A new number of twelve digits. */
export const newTransactionNumber = (): string => String(randomInt(10 ** 11, 10 ** 12))

/** A transaction by its number. @throws BpointError when the merchant has no such transaction */
export const getTransaction = (session: BpointSession, number: string): Transaction => {
  const transaction = session.find<Transaction>('txn', number)
  if (transaction === undefined) throw notFound('Transaction')
  return transaction
}

/** The transaction in the form of responses. */
export const transactionBody = ({ account: merchantNumber }: BpointSession, transaction: Transaction): object => {
  const { id, method, token, responseCode, amount } = transaction
  const isApproved = responseCode === '0'
  const cvn = method.kind === 'card' ? method.cvnResult : 'Unsupported'
  return {
    action: transaction.action,
    type: transaction.type,
    subType: transaction.subType,
    source: 'Api',
    billerCode: transaction.billerCode ?? '1234567',
    merchantNumber,
    crn1: transaction.crn1,
    crn2: transaction.crn2,
    crn3: transaction.crn3,
    merchantReference: transaction.merchantReference,
    currency: 'AUD',
    amount,
    amountOriginal: amount,
    amountSurcharge: 0,
    paymentMethod: { token, ...shownMethod(method), provider: 'Unspecified' },
    processedDateTime: sydneyTime(transaction.processedAt),
    settlementDate: transaction.settlementDate,
    emailAddress: transaction.emailAddress,
    originalTxnNumber: transaction.originalTxnNumber,
    responseCode,
    bankResponseCode: transaction.bankResponseCode,
    responseText: transaction.responseText,
    txnNumber: id,
    receiptNumber: transaction.receiptNumber,
    authoriseId: isApproved ? id.slice(-6) : null,
    rrn: id,
    storeCard: false,
    cvnResult: { code: cvn },
    isThreeDs: false,
    isCvnPresent: cvn !== 'S' && cvn !== 'Unsupported',
    isTestTxn: transaction.testMode,
    fraudScreeningResult: null,
    statementDescriptor: null,
    threeDsResult: null,
  }
}
