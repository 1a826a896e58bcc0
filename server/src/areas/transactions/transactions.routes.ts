import { transactions } from '@counterfoil/contract/transactions'
import { notFound } from '../../kit/api-error.ts'
import type { Area } from '../../http/request-context.ts'
import { extraFieldLabels, hasPeriod, transactionRows } from './transactions.queries.ts'
import { transactionOf } from './transactions.rules.ts'

export const transactionsArea: Area = (serve) => {
  serve(transactions.list, async ({ scope, within }, { query }) => {
    const rows = await within(async (db) => {
      if (!(await hasPeriod(db, scope, query.period))) throw notFound()
      return transactionRows(db, scope, query.period)
    })
    return rows.map(transactionOf)
  })

  serve(transactions.extraFieldLabels, ({ scope, within }) => within((db) => extraFieldLabels(db, scope)))
}
