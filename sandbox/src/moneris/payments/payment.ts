import { createHash } from 'node:crypto'
import { duplicateOrderError, type Layout, receiptOf } from '../api/receipt.ts'
import type { ReceiptFields } from '../api/xml.ts'
import type { StoredObject } from '../../kit/object-store.ts'
import { gatewayTime } from '../store/gateway-time.ts'
import { randomDigits } from '../store/random.ts'
import type { MonerisSession } from '../store/moneris-session.ts'
import { toAmount } from './amounts.ts'
import { currentBatch } from './batch-number.ts'
import { type Card, cardTypeOf } from './cards.ts'
import { isApproved, type Outcome, outcomeMessage } from './outcomes.ts'

type PaymentKind = 'purchase' | 'refund' | 'correction' | 'verification'

/** What was sent to the bank, under its TransID. */
export interface Payment extends StoredObject {
  readonly object: 'payment'
  readonly kind: PaymentKind
  readonly orderId: string
  /** In cents. */
  readonly amount: number
  readonly isApproved: boolean
  readonly batch: number
  readonly cardType: string | null
  /** The card, when the bank approved. */
  readonly card: Card | null
  /** The purchase that a refund or correction takes back. */
  readonly originalId: string | null
  readonly receipt: ReceiptFields
}

/** A used order id. */
interface Order extends StoredObject {
  readonly object: 'order'
  readonly paymentId: string
}

interface NewPayment extends Pick<Payment, 'kind' | 'orderId' | 'amount'> {
  readonly card: Card
  readonly outcome: Outcome
  readonly layout: Layout
  readonly originalId?: string
  /** The receipt's other fields. */
  readonly fields?: ReceiptFields
}

const TRANS_TYPES: Readonly<Record<PaymentKind, string>> = { purchase: '00', refund: '04', verification: '06', correction: '11' }

/** The id under which a used order id is stored. */
const orderKey = (orderId: string): string => `order:${orderId}`

/** Checks that an order id is new. @throws GatewayError when the store used the order id before */
export const assertNewOrder = (session: MonerisSession, orderId: string, fields?: ReceiptFields): void => {
  if (findByOrder(session, orderId) !== undefined) throw duplicateOrderError(fields)
}

/** The payment or verification that used an order id first; undefined when the store did not use the id. */
export const findByOrder = (session: MonerisSession, orderId: string): Payment | undefined => {
  const order = session.find<Order>('order', orderKey(orderId))
  return order && session.find<Payment>('payment', order.paymentId)
}

/**
 * Stores what the bank answered, and books the money that moved: none for a declined one or a verification. A payment or verification takes
 * its order id.
 */
export const recordPayment = (session: MonerisSession, payment: NewPayment): Payment => {
  const { kind, orderId, amount, card, outcome, originalId = null } = payment
  const batch = currentBatch(session)
  const sequence = session.nextNumber()
  const id = `${sequence}-0_${batch}`
  const approved = isApproved(outcome)
  const stored = session.put<Payment>({
    id,
    object: 'payment',
    kind,
    orderId,
    amount,
    isApproved: approved,
    batch,
    cardType: cardTypeOf(card.pan),
    card: approved ? card : null,
    originalId,
    receipt: paymentReceipt(session, payment, { TransID: id, ReferenceNum: referenceNumber(session.account, batch, sequence) }),
  })
  if (originalId === null) session.put<Order>({ id: orderKey(orderId), object: 'order', paymentId: id })
  if (approved && kind !== 'verification')
    session.book({ id, reference: orderId, amount, status: kind === 'purchase' ? 'succeeded' : 'refunded' })
  return stored
}

/** The receipt of what the bank answered; a declined one has no authorisation code. */
const paymentReceipt = (session: MonerisSession, payment: NewPayment, ids: ReceiptFields): ReceiptFields => {
  const { kind, orderId, amount, card, outcome, layout, fields } = payment
  return receiptOf(layout, {
    ...ids,
    ...outcome,
    ...gatewayTime(session.now),
    ReceiptId: orderId,
    AuthCode: kind === 'verification' || !isApproved(outcome) ? '000000' : randomDigits(6),
    Message: outcomeMessage(outcome),
    TransType: TRANS_TYPES[kind],
    Complete: 'true',
    TransAmount: toAmount(amount),
    CardType: cardTypeOf(card.pan),
    CorporateCard: 'false',
    IsVisaDebit: 'false',
    ...fields,
  })
}

/** The last three digits of a number, with zeros before it. */
const threeDigits = (value: number): string => String(value % 1000).padStart(3, '0')

/** The receipt's reference number: terminal (8 digits), batch (3), shift (3), sequence (3) and a zero. */
const referenceNumber = (store: string, batch: number, sequence: number): string => {
  const terminal = 66_000_000 + (createHash('sha256').update(store).digest().readUInt32BE() % 1_000_000)
  return `${terminal}${threeDigits(batch)}001${threeDigits(sequence)}0`
}
