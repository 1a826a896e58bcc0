import { serviceItems } from '@counterfoil/contract/service-items'
import { notFound } from '../../kit/api-error.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { serviceItemRows, updateServiceItem } from './service-items.queries.ts'

export const serviceItemsArea: RegisterArea = (route) => {
  route(serviceItems.list, ({ scope, transact }, { query }) => transact((db) => serviceItemRows(db, scope, query.service || null)))

  route(serviceItems.update, async ({ scope, transact }, { params, body }) => {
    const texts = { description: body.description || null, costCentre: body.costCentre || null }
    const item = await transact((db) => updateServiceItem(db, scope, params.id, texts))
    if (item === undefined) throw notFound()
    return item
  })
}
