import type { Endpoint } from '../api/endpoint.ts'
import { newId } from '../store/ids.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { text } from '../api/params.ts'
import type { Work } from '../store/sandbox-session.ts'

interface BalanceTransaction {
  readonly id: string
  readonly object: 'balance_transaction'
  readonly amount: number
  readonly created: number
  readonly currency: string
  readonly fee: number
  readonly net: number
  readonly source: string
  readonly type: TransactionType
}

type TransactionType = 'charge' | 'payment' | 'refund' | 'payment_refund' | 'adjustment'

/** What came in or went out, as it is added to the balance. */
interface Movement {
  readonly amount: number
  readonly currency: string
  readonly source: string
  readonly type: TransactionType
  readonly fee?: number
  readonly description?: string | null
}

const CATEGORY: Readonly<Record<TransactionType, string>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  adjustment: 'dispute',
}

/** Adds a line to the account's balance. */
export const addToBalance = (work: Work, { amount, currency, source, type, fee = 0, description = null }: Movement): string => {
  const id = newId('txn')
  work.put({
    id,
    object: 'balance_transaction',
    amount,
    available_on: work.now,
    balance_type: 'payments',
    created: work.now,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: CATEGORY[type],
    source,
    status: 'available',
    type,
  })
  return id
}

/** What Stripe keeps of a payment: 1.75 % and 30 of the smallest coin. */
export const feeOf = (amount: number): number => Math.round(amount * 0.0175) + 30

/** `/v1/balance` and `/v1/balance_transactions` */
export const balanceEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/balance',
    operation: 'list',
    takes: [],
    run: ({ work }) => {
      const sums = new Map<string, number>()
      for (const { currency, net } of work.all<BalanceTransaction>('balance_transaction'))
        sums.set(currency, (sums.get(currency) ?? 0) + net)
      const available = [...sums].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }))
      return { object: 'balance', available, livemode: false, pending: [] }
    },
  },
  {
    method: 'GET',
    path: '/v1/balance_transactions/:id',
    operation: 'lookup',
    takes: [],
    run: ({ work, id }) => work.get<BalanceTransaction>('balance_transaction', id),
  },
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    operation: 'list',
    takes: [...LIST_TAKES, 'currency', 'source', 'type'],
    run: ({ work, form }) => {
      const [currency, source, type] = [text(form, 'currency'), text(form, 'source'), text(form, 'type')]
      const lines = work
        .all<BalanceTransaction>('balance_transaction')
        .filter(
          (one) =>
            (currency === undefined || one.currency === currency) &&
            (source === undefined || one.source === source) &&
            (type === undefined || one.type === type),
        )
      return pageOf(lines, form, '/v1/balance_transactions')
    },
  },
]
