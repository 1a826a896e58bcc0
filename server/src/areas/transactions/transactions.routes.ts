import { transactions } from '@counterfoil/contract/transactions'
import { notFound } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { extraFieldLabels, hasPeriod, transactionRows } from './transactions.queries.ts'
import { transactionOf } from './transactions.rules.ts'

export const transactionsArea: RegisterArea = (route) => {
  route(transactions.list, async ({ scope, transact }, { query }) => {
    const rows = await transact(async (db) => {
      if (!(await hasPeriod(db, scope, query.period))) throw notFound()
      return transactionRows(db, scope, query.period)
    })
    return rows.map(transactionOf)
  })

  route(transactions.extraFieldLabels, ({ scope, read }) => read((db) => extraFieldLabels(db, scope)))
}
