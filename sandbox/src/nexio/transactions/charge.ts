import type { Fields } from '../api/fields.ts'
import { declinedError, gatewayTimeout } from '../api/nexio-error.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import type { CheckResults, Decline } from './decline.ts'
import { recordTransaction } from './transaction-changes.ts'
import { type ChargedMethod, newTransaction, paymentBody, STATUS, type Transaction, type TransactionStatus } from './transaction.ts'

/** A charge that is about to be sent to the bank, with the bank's answer, which follows from the request. */
export interface Charge {
  readonly merchantId: string
  /** In minor units of ISO 4217. */
  readonly amount: number
  readonly currency: string
  readonly method: ChargedMethod
  readonly data: Fields
  readonly isAuthOnly: boolean
  readonly paymentOptionTag: string | null
  readonly results: CheckResults
  readonly decline?: Decline | undefined
  /** The gateway processes the charge and does not answer in time. */
  readonly timesOut: boolean
}

/** The payment option whose transactions settle at once. */
const SETTLING_TAG = 'nexioAuto'

/**
 * Stores the charge's transaction, approved or declined, and queues its event. The money of an approved one is booked; nothing is thrown.
 */
export const executeCharge = (session: NexioSession, charge: Charge): Transaction => {
  const { decline, merchantId, amount, currency, method, data, results, paymentOptionTag, isAuthOnly } = charge
  const transaction = newTransaction(session, {
    merchantId,
    amount,
    currency,
    method,
    data,
    results,
    paymentOptionTag,
    type: isAuthOnly ? 'auth' : 'sale',
    status: decline === undefined ? approvedStatus(charge) : STATUS.failed,
    message: decline?.message ?? 'Approved',
  })
  return recordTransaction(session, transaction, decline === undefined ? undefined : { booked: undefined })
}

/** The status of an approved charge: pending for a bank account, authorized, settled by SETTLING_TAG, else captured. */
const approvedStatus = ({ method, isAuthOnly, paymentOptionTag }: Charge): TransactionStatus => {
  if (method.kind === 'echeck') return STATUS.pending
  if (isAuthOnly) return STATUS.authorized
  return paymentOptionTag === SETTLING_TAG ? STATUS.settled : STATUS.captured
}

/**
 * Makes the charge, stores it and returns the response of an approved one.
 * @throws NexioError when it is declined or the gateway does not answer in time
 */
export const answerCharge = (session: NexioSession, charge: Charge): object => {
  const transaction = executeCharge(session, charge)
  const { decline, merchantId, timesOut } = charge
  if (decline !== undefined) {
    const approvalBody = paymentBody({ ...transaction, status: approvedStatus(charge), message: 'Approved' })
    throw declinedError(decline, { merchantId, refNumber: transaction.refNumber, approvalBody })
  }
  if (timesOut) throw gatewayTimeout(merchantId)
  return paymentBody(transaction)
}
