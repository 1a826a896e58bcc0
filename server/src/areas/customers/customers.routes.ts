import { customers } from '@counterfoil/contract/customers'
import type { RegisterArea } from '../../http/request-context.ts'
import { choicesOfUser, customersOfUser } from './customers.queries.ts'

/** Registers the endpoint that lists the user's customers, with the user's choices. */
export const customersArea: RegisterArea = (route) => {
  route(customers.me, ({ actor, transactAsSystem }) =>
    transactAsSystem(async (db) => ({
      customers: await customersOfUser(db, actor.userId, actor.onlyCustomerId),
      ...(await choicesOfUser(db, actor)),
    })),
  )
}
