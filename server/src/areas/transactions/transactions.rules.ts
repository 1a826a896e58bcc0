import type { Transaction } from '@counterfoil/contract/transactions'
import type { TransactionRow } from './transactions.queries.ts'

/** A transaction for the response, with price and quantity as JSON numbers. */
export const transactionOf = (row: TransactionRow): Transaction => ({ ...row, price: Number(row.price), quantity: Number(row.quantity) })
