import { agreements } from '@counterfoil/contract/agreements'
import { notFound } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { listAgreements, hasAgreement, listPeriodRows } from './agreements.queries.ts'
import { toBillingPeriod } from './agreements.rules.ts'

/** Registers the endpoints of the customer's agreements and their billing periods. */
export const agreementsArea: RegisterArea = (route) => {
  route(agreements.list, ({ scope, read }) => read((db) => listAgreements(db, scope)))

  route(agreements.periods, async ({ scope, transact }, { params }) => {
    const rows = await transact(async (db) => {
      if (!(await hasAgreement(db, scope, params.id))) throw notFound()
      return listPeriodRows(db, scope, params.id)
    })
    return rows.map(toBillingPeriod)
  })
}
