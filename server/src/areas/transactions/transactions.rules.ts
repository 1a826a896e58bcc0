import type { Transaction } from '@counterfoil/contract/transactions'
import type { TransactionRow } from './transactions.queries.ts'

/** A billed transaction in the form of the API, with price and quantity as JSON numbers, no longer exact. */
export const transactionOf = (row: TransactionRow): Transaction => ({ ...row, price: Number(row.price), quantity: Number(row.quantity) })
