import type { ApiRequest, Endpoint } from '../api/endpoint.ts'
import { integerField, textField } from '../api/fields.ts'
import type { ChargebackOutcome } from '../../ledger/settlements.ts'
import { currencyIdOf, fromMinor } from '../store/amounts.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import { referenceOf, STATUS, type Transaction } from './transaction.ts'

/** Where a chargeback stands: the bank has taken the money, or the merchant has won it back. */
const CYCLE = { initial: 1, won: 2 } as const

/** A card payment that its bank took back. */
interface Chargeback {
  readonly id: string
  readonly object: 'chargeback'
  /** The transaction service's own id of the payment. */
  readonly transactionNumber: number
  readonly merchantId: string
  readonly amount: number
  readonly currency: string
  readonly cycle: (typeof CYCLE)[keyof typeof CYCLE]
  readonly createdAt: number
  readonly changedAt: number
}

/** Charges back a settled card payment, or decides its chargeback for the merchant, and books that. False when it cannot be. */
export const chargeBack = (session: NexioSession, payment: Transaction, outcome: ChargebackOutcome): boolean => {
  const { number, refNumber, merchantId, amount, currency, method, status } = payment
  const id = `${number}1`
  const earlier = session.find<Chargeback>('chargeback', id)
  const isWon = outcome === 'chargeback_won'
  if (isWon ? earlier?.cycle !== CYCLE.initial : earlier !== undefined || status !== STATUS.settled || method.kind !== 'card') return false
  session.put<Chargeback>({
    id,
    object: 'chargeback',
    transactionNumber: number,
    merchantId,
    amount,
    currency,
    cycle: isWon ? CYCLE.won : CYCLE.initial,
    createdAt: earlier?.createdAt ?? session.now,
    changedAt: session.now,
  })
  const booked = isWon ? 'succeeded' : 'returned'
  session.book({ id: refNumber, reference: referenceOf(payment), amount, currency, status: booked, method: 'card' })
  return true
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const DEFAULT_LIMIT = 10

/** The response with one page of the chargebacks of a span of time, newest first. */
const listChargebacks = ({ session, query }: ApiRequest): object => {
  const [limit, offset] = [integerField(query, 'limit', DEFAULT_LIMIT), integerField(query, 'offset', 0)]
  const from = Date.parse(textField(query, 'startDate') ?? '') || session.now - DEFAULT_DAYS * DAY_MS
  const to = (Date.parse(textField(query, 'endDate') ?? '') || session.now) + DAY_MS
  const found = session.all<Chargeback>('chargeback').filter(({ createdAt }) => createdAt >= from && createdAt < to)
  return { offset, limit, rows: found.slice(offset, offset + limit).map(listedChargeback), hasMore: found.length > offset + limit }
}

/** A chargeback as the list shows it, with a negative amount. */
const listedChargeback = ({ id, transactionNumber, merchantId, amount, currency, cycle, createdAt, changedAt }: Chargeback): object => ({
  id: Number(id),
  relatedChargebackId: null,
  merchantId,
  amount: -fromMinor(amount, currency),
  currencyId: currencyIdOf(currency),
  transactionId: transactionNumber,
  chargebackCycle: cycle,
  isDisputed: false,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(changedAt).toISOString(),
})

/** `/chargeback/v3` */
export const chargebackEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/chargeback/v3', operation: 'list', handle: listChargebacks },
]
