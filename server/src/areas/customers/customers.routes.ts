import { customers } from '@counterfoil/contract/customers'
import type { RegisterArea } from '../../http/request-context.ts'
import { customersOfUser } from './customers.queries.ts'

export const customersArea: RegisterArea = (route) => {
  route(customers.me, async ({ actor, transactAsSystem }) => ({
    customers: await transactAsSystem((db) => customersOfUser(db, actor.userId, actor.onlyCustomerId)),
  }))
}
