import { newId, toInstant } from '../store/ids.ts'
import type { PinchSession } from '../store/pinch-session.ts'
import type { Source } from '../payers/source.ts'
import type { DishonourCode } from './dishonours.ts'
import type { Refund } from './refund.ts'

type PaymentStatus = 'scheduled' | 'processing' | 'approved' | 'settled' | 'dishonoured' | 'cancelled'

export interface Payment {
  readonly id: string
  readonly object: 'payment'
  readonly attemptId: string
  readonly amount: number
  readonly currency: string
  readonly description: string | null
  readonly source: Source
  readonly payerId: string
  /** The payer as it was shown then. */
  readonly payer: object
  readonly transactionDate: string
  readonly status: PaymentStatus
  readonly dishonour: { readonly type: DishonourCode; readonly date: string } | null
  readonly settledAt: string | null
  readonly metadata: unknown
  readonly nonces: readonly string[]
  readonly createdAt: number
}

type NewPayment = Pick<Payment, 'amount' | 'description' | 'source' | 'payerId' | 'payer' | 'status' | 'metadata' | 'nonces'> &
  Partial<Pick<Payment, 'transactionDate' | 'dishonour'>>

/** A payment with new ids, not stored yet. */
export const newPayment = (session: PinchSession, fields: NewPayment): Payment => ({
  id: newId('pmt'),
  object: 'payment',
  attemptId: newId('att', 8),
  currency: session.currency,
  transactionDate: toInstant(session.now),
  dishonour: null,
  settledAt: null,
  createdAt: session.now,
  ...fields,
})

const DAY_MS = 86_400_000

/** The day on which the money reaches the merchant: two days after a card payment, five after a debit. */
const transferDay = ({ transactionDate, source }: Payment): string =>
  new Date(Date.parse(transactionDate) + (source.sourceType === 'credit-card' ? 2 : 5) * DAY_MS).toISOString().slice(0, 10)

/** The fee in cents: 2.5 % and 30 of a card payment, 1 % and 30 of a debit. */
export const feeOf = (amount: number, sourceType: Source['sourceType']): number =>
  Math.floor((amount * (sourceType === 'credit-card' ? 25 : 10)) / 1_000) + 30

/** The fees of an amount, as every answer writes them. */
export const feesBody = (amount: number, sourceType: Source['sourceType'], currency: string): object => ({
  transactionFee: feeOf(amount, sourceType),
  applicationFee: 0,
  totalFee: feeOf(amount, sourceType),
  currency,
  taxRate: 0.1,
  convertedTransactionFee: null,
  convertedApplicationFee: null,
  convertedTotalFee: null,
  convertedCurrency: null,
  conversionRate: null,
})

/** A payment as a list shows it: with its fees and the day of its transfer, without its attempts and its nonce. */
export const listedPayment = (payment: Payment): object => {
  const { id, attemptId, amount, currency, description, source, transactionDate, status, payer, metadata } = payment
  return {
    id,
    attemptId,
    amount,
    currency,
    description,
    applicationFee: 0,
    totalFee: feeOf(amount, source.sourceType),
    isSurcharged: false,
    sourceType: source.sourceType,
    transactionDate,
    status,
    estimatedTransferDate: `${transferDay(payment)}T00:00:00`,
    payer,
    subscription: null,
    metadata,
  }
}

/** A payment by itself, as its own calls show it: with its attempt, refunds and nonce. */
export const paymentBody = (session: PinchSession, payment: Payment): object => {
  const { attemptId, amount, currency, source, transactionDate, status, dishonour, settledAt, nonces, metadata } = payment
  const estimatedTransferDate = transferDay(payment)
  const attempt = {
    id: attemptId,
    amount,
    currency,
    convertedAmount: null,
    conversionRate: null,
    convertedCurrency: null,
    estimatedSettlementDate: `${estimatedTransferDate}T00:00:00`,
    isSurcharged: false,
    transactionDate,
    estimatedTransferDate,
    actualTransferDate: settledAt,
    source,
    dishonour: dishonour === null ? null : { ...dishonour, fees: null, transferId: null, payment: null },
    settlement: settledAt === null ? null : { date: settledAt, amount },
    fees: feesBody(amount, source.sourceType, currency),
    status,
  }
  return {
    ...listedPayment(payment),
    estimatedTransferDate,
    actualTransferDate: settledAt,
    attempts: [attempt],
    refunds: session
      .all<Refund>('refund')
      .filter(({ paymentId }) => paymentId === payment.id)
      .map(({ id, amount: refunded, status: refundStatus }) => ({ id, amount: refunded, currency, status: refundStatus })),
    metadata,
    nonce: nonces[0] ?? null,
  }
}
