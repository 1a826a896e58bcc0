import { serviceItems } from '@counterfoil/contract/service-items'
import { notFound } from '../../kit/api-error.ts'
import type { Area } from '../../http/request-context.ts'
import { serviceItemRows, updateServiceItem } from './service-items.queries.ts'

export const serviceItemsArea: Area = (serve) => {
  serve(serviceItems.list, ({ scope, within }, { query }) => within((db) => serviceItemRows(db, scope, query.service || null)))

  serve(serviceItems.update, async ({ scope, within }, { params, body }) => {
    const texts = { description: body.description || null, costCentre: body.costCentre || null }
    const item = await within((db) => updateServiceItem(db, scope, params.id, texts))
    if (item === undefined) throw notFound()
    return item
  })
}
