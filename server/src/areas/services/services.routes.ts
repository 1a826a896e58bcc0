import { services } from '@counterfoil/contract/services'
import type { RegisterArea } from '../../http/request-context.ts'
import { listServices } from './services.queries.ts'

export const servicesArea: RegisterArea = (route) => {
  route(services.list, ({ scope, transact }) => transact((db) => listServices(db, scope), { usage: 'primary', pipelined: true }))
}
