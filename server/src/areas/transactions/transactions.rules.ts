import type { Transaction } from '@counterfoil/contract/transactions'
import type { TransactionRow } from './transactions.queries.ts'

/** A transaction as it is answered: price and quantity become JSON numbers here, at the edge. */
export const transactionOf = (row: TransactionRow): Transaction => ({ ...row, price: Number(row.price), quantity: Number(row.quantity) })
