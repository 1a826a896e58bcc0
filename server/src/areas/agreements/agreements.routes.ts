import { agreements } from '@counterfoil/contract/agreements'
import { notFound } from '../../kit/api-error.ts'
import type { Area } from '../../http/request-context.ts'
import { agreementRows, hasAgreement, periodRows } from './agreements.queries.ts'
import { periodOf } from './agreements.rules.ts'

export const agreementsArea: Area = (serve) => {
  serve(agreements.list, ({ scope, within }) => within((db) => agreementRows(db, scope)))

  serve(agreements.periods, async ({ scope, within }, { params }) => {
    const rows = await within(async (db) => {
      if (!(await hasAgreement(db, scope, params.id))) throw notFound()
      return periodRows(db, scope, params.id)
    })
    return rows.map(periodOf)
  })
}
