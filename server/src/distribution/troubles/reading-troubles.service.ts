import type { Db, DbRole, Store } from '../../db/database.ts'
import { transactWithin } from '../../db/server/transact-within.ts'
import { listResellerIds } from '../../usage-store/resellers.queries.ts'
import { listCustomersWithUsage, listForeignCustomers, nodesOfCustomers, readPage, readWithoutTenant } from './reading.queries.ts'
import { fault, firstOf, type Trouble } from './trouble.ts'

/** How long one or two statements may take that read from every node: a reseller may have a million customers. */
const READ_LIMIT_MS = 60_000

/** Of how many customers usage is read on each node. */
const CUSTOMERS_PER_NODE = 3

/** What is wrong with usage as people read it: whose it is, and who sees it. Only where every node answers. */
export const readingTroubles = async (store: Store): Promise<Trouble[]> => {
  const within = <T>(as: DbRole, work: (db: Db) => Promise<T>): Promise<T> => transactWithin(store, as, READ_LIMIT_MS, work)
  const troubles: Trouble[] = []
  const customers = new Map<string, { customerId: number; resellerId: number }[]>()
  for (const resellerId of await store.transact({ role: 'counterfoil_system' }, listResellerIds)) {
    const as = { role: 'counterfoil_reseller', resellerId } as const
    const foreign = await within(as, listForeignCustomers)
    if (foreign.length > 0) troubles.push(foreignTrouble(resellerId, foreign))
    const ids = await within(as, listCustomersWithUsage)
    for (const { node, customerId } of await store.transact({ role: 'owner' }, (db) => nodesOfCustomers(db, ids))) {
      const chosen = customers.get(node) ?? []
      if (chosen.length < CUSTOMERS_PER_NODE && !foreign.includes(customerId)) customers.set(node, [...chosen, { customerId, resellerId }])
    }
  }
  const seen = await within({ role: 'owner' }, readWithoutTenant)
  const open = await store.transact({ role: 'owner' }, (db) => nodesOfCustomers(db, seen))
  for (const node of new Set(open.map((shown) => shown.node)))
    troubles.push(
      fault(
        'usage',
        `${node} shows usage to a request of no customer: row-level security does not hold there.`,
        'Stop the servers, and compare the policies of its shards with those of the tables on the coordinator.',
      ),
    )
  for (const [node, chosen] of customers) {
    const hidden: number[] = []
    for (const { customerId, resellerId } of chosen)
      if (!(await within({ role: 'counterfoil_app', customerId, resellerId }, (db) => readPage(db, customerId)))) hidden.push(customerId)
    const [first] = hidden
    if (first !== undefined)
      troubles.push(
        fault(
          'usage',
          `${node} shows no usage of customer ${first} to a request of that customer, who has some.`,
          'See that "citus.propagate_set_commands" can be set there, and compare the policies of its shards with those of the tables on the coordinator.',
        ),
      )
  }
  return troubles
}

const foreignTrouble = (resellerId: number, customerIds: readonly number[]): Trouble =>
  fault(
    'usage',
    `Reseller ${resellerId} has usage of ${customerIds.length === 1 ? 'customer' : 'customers'} ${firstOf(customerIds.map(String))}, not of its own: that reseller’s people see it, and those of the right one do not.`,
    'Have an administrator set reseller_id in the tables of usage to the reseller of the customer.',
  )
