import { services } from '@counterfoil/contract/services'
import type { Area } from '../../http/request-context.ts'
import { serviceRows } from './services.queries.ts'

export const servicesArea: Area = (serve) => {
  serve(services.list, ({ scope, within }) => within((db) => serviceRows(db, scope)))
}
