import { dashboard, JASPER_RESELLER } from '@counterfoil/contract/dashboard'
import { dayOf } from '@counterfoil/contract/kit/day'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { ApiError } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { bundleProducts, dataUsageByMonth, dataUsageByWeek, openingBalance } from './dashboard.queries.ts'
import { invoicedSums } from './spending.queries.ts'
import { lastMonths, toSpending } from './spending.rules.ts'
import { toBundles, toMonthlyUsage, toWeeklyUsage } from './dashboard.rules.ts'

/** Registers the endpoints of the dashboard's charts: opening balance, spending, bundles, data usage. */
export const dashboardArea: RegisterArea = (route) => {
  route(dashboard.openingBalance, async ({ scope, read }) => {
    const row = await read((db) => openingBalance(db, scope))
    if (row === undefined) return { balance: null, asOf: null }
    return { balance: toJsonNumber({ minor: BigInt(row.minor), currency: row.currency }), asOf: row.asOf }
  })

  route(dashboard.spending, async ({ scope, read, now }, { query }) => {
    const months = lastMonths(dayOf(now), query.months)
    return toSpending(months, await read((db) => invoicedSums(db, scope, months)))
  })

  route(dashboard.bundles, async ({ scope, read }) => toBundles(await read((db) => bundleProducts(db, scope))))

  route(dashboard.dataUsageOfMonth, async ({ scope, read, now }) => {
    assertJasperReseller(scope)
    return toWeeklyUsage(await read((db) => dataUsageByWeek(db, scope, dayOf(now))))
  })

  route(dashboard.dataUsageOfPeriods, async ({ scope, read, now }) => {
    assertJasperReseller(scope)
    return toMonthlyUsage(await read((db) => dataUsageByMonth(db, scope, dayOf(now))))
  })
}

/** @throws ApiError where the customer's reseller is any but the one (`JASPER_RESELLER`) whose portal has charts of data usage */
const assertJasperReseller = ({ resellerId }: CustomerScope): void => {
  if (resellerId !== JASPER_RESELLER) throw new ApiError('data_usage_unavailable', 'Data usage charts are not part of this portal.')
}
