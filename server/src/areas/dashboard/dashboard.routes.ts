import { dashboard, JASPER_RESELLER } from '@counterfoil/contract/dashboard'
import { dayOf } from '@counterfoil/contract/kit/day'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { Refusal } from '../../kit/api-error.ts'
import type { Area } from '../../http/request-context.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { bundleProducts, dataUsageByMonth, dataUsageByWeek, openingBalance } from './dashboard.queries.ts'
import { bundlesOf, monthsOf, weeksOf } from './dashboard.rules.ts'

export const dashboardArea: Area = (serve) => {
  serve(dashboard.openingBalance, async ({ scope, within }) => {
    const row = await within((db) => openingBalance(db, scope))
    return { balance: row === undefined ? null : toJsonNumber({ minor: BigInt(row.minor), currency: row.currency }) }
  })

  serve(dashboard.bundles, async ({ scope, within }) => bundlesOf(await within((db) => bundleProducts(db, scope))))

  serve(dashboard.dataUsageOfMonth, async ({ scope, within, now }) => {
    refuseOtherResellers(scope)
    return weeksOf(await within((db) => dataUsageByWeek(db, scope, dayOf(now))))
  })

  serve(dashboard.dataUsageOfPeriods, async ({ scope, within, now }) => {
    refuseOtherResellers(scope)
    return monthsOf(await within((db) => dataUsageByMonth(db, scope, dayOf(now))))
  })
}

const refuseOtherResellers = ({ resellerId }: CustomerScope): void => {
  if (resellerId !== JASPER_RESELLER) throw new Refusal(403, 'Data usage charts are not part of this portal.')
}
