import type { Fields } from '../api/fields.ts'
import type { Instrument } from '../payment-methods/instrument.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import type { StoredObject } from '../../kit/object-store.ts'

/** 1 approved, 2 declined, 3 error, 4 held for review. */
export type ResponseCode = '1' | '2' | '3' | '4'

export type TransactionStatus =
  | 'authorizedPendingCapture'
  | 'capturedPendingSettlement'
  | 'declined'
  | 'voided'
  | 'settledSuccessfully'
  | 'settlementError'
  | 'refundPendingSettlement'
  | 'refundSettledSuccessfully'
  | 'returnedItem'
  | 'chargeback'
  | 'chargebackReversal'
  | 'FDSAuthorizedPendingReview'

/** What the issuer, or the gateway's own checks, decided. */
export interface Decision {
  readonly responseCode: ResponseCode
  readonly reasonCode: string
  readonly reason: string
  readonly avs: string
  readonly cvv: string
  readonly authCode: string
}

/** The profile that a transaction was charged to. */
export interface ProfileIds {
  readonly customerProfileId: string
  readonly customerPaymentProfileId: string
}

/** A charge or a refund. */
export interface Transaction extends StoredObject {
  readonly object: 'transaction'
  readonly type: 'authCaptureTransaction' | 'authOnlyTransaction' | 'refundTransaction'
  readonly status: TransactionStatus
  /** In milliseconds. */
  readonly submittedAt: number
  readonly decision: Decision
  /** In cents. */
  readonly amount: number
  readonly instrument: Instrument
  readonly profile?: ProfileIds | undefined
  /** The charge that is refunded. */
  readonly refTransId?: string | undefined
  readonly batchId?: string | undefined
  /** When a bank returned the debit, in milliseconds. */
  readonly returnedAt?: number | undefined
  /** The parts of the request that a look-up shows: order, customer, billTo, … */
  readonly details: Fields
}

/** A settled batch of one payment method. */
export interface Batch extends StoredObject {
  readonly object: 'batch'
  readonly settledAt: number
  readonly paymentMethod: 'creditCard' | 'eCheck'
}

/** The ledger's word for a transaction's instrument: `card` or `echeck`. */
export const ledgerMethod = ({ instrument }: Pick<Transaction, 'instrument'>): string => (instrument.kind === 'card' ? 'card' : 'echeck')

/** Our caller's reference: the invoice number; empty without one. */
export const referenceOf = ({ details }: Pick<Transaction, 'details'>): string => {
  const { order } = details as { order?: { invoiceNumber?: string } }
  return order?.invoiceNumber ?? ''
}

/** Whether a transaction can still be voided: it is authorised, captured, held or a refund, and not settled. */
export const isUnsettled = ({ status }: Transaction): boolean =>
  ['authorizedPendingCapture', 'capturedPendingSettlement', 'refundPendingSettlement', 'FDSAuthorizedPendingReview'].includes(status)

/** Books a charge in the ledger under its own id, with `status`, which replaces the status booked before. */
export const bookCharge = (session: AuthorizeSession, charge: Transaction, status: 'pending' | 'succeeded' | 'failed' | 'returned'): void =>
  session.book({ id: charge.id, reference: referenceOf(charge), amount: charge.amount, status, method: ledgerMethod(charge) })

/** The refunds of a charge that were not declined or voided. */
export const refundsOf = (session: AuthorizeSession, { id }: Transaction): Transaction[] =>
  session
    .all<Transaction>('transaction')
    .filter(
      ({ type, refTransId, status }) => type === 'refundTransaction' && refTransId === id && status !== 'declined' && status !== 'voided',
    )

/** Cents as dollars. */
export const toNumber = (cents: number): number => cents / 100

/** An amount in dollars as cents; undefined when it is absent, no number, zero, or has fractions of a cent. */
export const toCents = (amount: string | undefined): number | undefined => {
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(amount ?? '') ?? []
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return whole === '' || cents === 0 ? undefined : cents
}
