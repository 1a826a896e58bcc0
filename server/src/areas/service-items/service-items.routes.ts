import { serviceItems } from '@counterfoil/contract/service-items'
import { ApiError, notFound } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { lockServiceItem, listServiceItems, updateServiceItem } from './service-items.queries.ts'
import { readUsageOfMonth } from './service-items.service.ts'
import { isBasedOn, updatedTexts } from './service-items.rules.ts'

const CHANGED_TEXT = 'Somebody changed this service item meanwhile. Look at what it says now, and save again.'

/**
 * Registers the endpoints of service items: list, this month's usage, and a change of their texts (409 when somebody changed them
 * meanwhile).
 */
export const serviceItemsArea: RegisterArea = (route) => {
  route(serviceItems.list, ({ scope, read }, { query }) => read((db) => listServiceItems(db, scope, query.service || null)))

  route(serviceItems.usage, (request, { query }) => readUsageOfMonth(request, query.service || null))

  route(serviceItems.update, ({ scope, transact }, { params, body }) =>
    transact(async (db) => {
      const item = await lockServiceItem(db, scope, params.id)
      if (item === undefined) throw notFound()
      if (!isBasedOn(item, body.basedOn ?? {})) throw new ApiError('record_changed', CHANGED_TEXT)
      return updateServiceItem(db, scope, params.id, updatedTexts(item, body))
    }),
  )
}
