import { customers } from '@counterfoil/contract/customers'
import type { Area } from '../../http/request-context.ts'
import { customersOfUser } from './customers.queries.ts'

export const customersArea: Area = (serve) => {
  serve(customers.me, async ({ actor, asSystem }) => ({
    customers: await asSystem((db) => customersOfUser(db, actor.userId, actor.onlyCustomerId)),
  }))
}
