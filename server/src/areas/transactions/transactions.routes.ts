import { transactions } from '@counterfoil/contract/transactions'
import { notFound } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { extraFieldLabels, hasPeriod, listTransactionRows } from './transactions.queries.ts'
import { transactionOf } from './transactions.rules.ts'

/** Registers the endpoints of a period's billed transactions and of their extra fields' labels. */
export const transactionsArea: RegisterArea = (route) => {
  route(transactions.list, async ({ scope, read }, { query: { period } }) => {
    const [isKnown, rows] = await read((db) => Promise.all([hasPeriod(db, scope, period), listTransactionRows(db, scope, period)]))
    if (!isKnown) throw notFound()
    return rows.map(transactionOf)
  })

  route(transactions.extraFieldLabels, ({ scope, read }) => read((db) => extraFieldLabels(db, scope)))
}
