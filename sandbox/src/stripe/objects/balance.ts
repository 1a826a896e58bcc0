import type { Endpoint } from '../api/endpoint.ts'
import { newId } from '../store/ids.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { stringParam } from '../api/params.ts'
import type { StripeSession } from '../store/stripe-session.ts'

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

/** Money that came in or went out. */
interface BalanceChange {
  readonly amount: number
  readonly currency: string
  readonly source: string
  readonly type: TransactionType
  readonly fee?: number
  readonly description?: string | null
}

const REPORTING_CATEGORIES: Readonly<Record<TransactionType, string>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  adjustment: 'dispute',
}

/** Stores a balance transaction, with a negative amount for money that went out, and returns its id. */
export const addToBalance = (
  sandbox: StripeSession,
  { amount, currency, source, type, fee = 0, description = null }: BalanceChange,
): string => {
  const id = newId('txn')
  sandbox.put({
    id,
    object: 'balance_transaction',
    amount,
    available_on: sandbox.now,
    balance_type: 'payments',
    created: sandbox.now,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: REPORTING_CATEGORIES[type],
    source,
    status: 'available',
    type,
  })
  return id
}

/** Stripe's fee in minor units: 1.75 % and 30. */
export const feeOf = (amount: number): number => Math.round(amount * 0.0175) + 30

/** `/v1/balance` and `/v1/balance_transactions` */
export const balanceEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/balance',
    operation: 'list',
    params: [],
    handle: ({ sandbox }) => {
      const sums = new Map<string, number>()
      for (const { currency, net } of sandbox.all<BalanceTransaction>('balance_transaction'))
        sums.set(currency, (sums.get(currency) ?? 0) + net)
      const available = [...sums].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }))
      return { object: 'balance', available, livemode: false, pending: [] }
    },
  },
  {
    method: 'GET',
    path: '/v1/balance_transactions/:id',
    operation: 'lookup',
    params: [],
    handle: ({ sandbox, id }) => sandbox.get<BalanceTransaction>('balance_transaction', id),
  },
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    operation: 'list',
    params: [...LIST_PARAMS, 'currency', 'source', 'type'],
    handle: ({ sandbox, form }) => {
      const [currency, source, type] = [stringParam(form, 'currency'), stringParam(form, 'source'), stringParam(form, 'type')]
      const transactions = sandbox
        .all<BalanceTransaction>('balance_transaction')
        .filter(
          (transaction) =>
            (currency === undefined || transaction.currency === currency) &&
            (source === undefined || transaction.source === source) &&
            (type === undefined || transaction.type === type),
        )
      return listPage(transactions, form, '/v1/balance_transactions')
    },
  },
]
