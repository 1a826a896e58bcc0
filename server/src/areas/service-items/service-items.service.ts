import { dayOf } from '@counterfoil/contract/kit/day'
import { timeframeDays } from '@counterfoil/contract/kit/timeframe'
import type { ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { MAX_SERVICE_ITEMS, type serviceItems } from '@counterfoil/contract/service-items'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { ApiError } from '../../kit/api-error.ts'
import { usagePrices } from './service-items.queries.ts'

/** A million records took 1.5 to 3.2 s on a very busy machine (docs/performance.md). */
const MAX_SUM_MS = 5_000

const STATEMENT_TIMEOUT = '57014'

/**
 * What the usage of each service item costs this month, in the same days as the usage screen's "This Month".
 * @throws ApiError too_many_records when it cannot be added up while somebody waits
 */
export const readUsageOfMonth = async (
  { scope, transact, now }: CustomerRequestContext,
  serviceId: number | null,
): Promise<ResponseBody<typeof serviceItems.usage>> => {
  const days = timeframeDays('This Month', dayOf(now))
  const items = await transact((db) => usagePrices(db, scope, serviceId, days, MAX_SUM_MS), { usage: 'replica' }).catch(
    (error: { code?: string }) => {
      throw error.code === STATEMENT_TIMEOUT ? tooMuchUsage() : error
    },
  )
  if (items.length > MAX_SERVICE_ITEMS) throw tooMuchUsage()
  return { ...days, items }
}

/** The refusal to add up more usage than can be added up while somebody waits. */
const tooMuchUsage = (): ApiError =>
  new ApiError(
    'too_many_records',
    'There is too much usage this month to add it up while you wait. The report “Usage by Cost Centre” adds it up for you.',
  )
