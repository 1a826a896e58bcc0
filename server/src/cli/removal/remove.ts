import { type RawBuilder, sql } from 'kysely'
import { actAsReseller, actAsSystem } from '../../db/act-as.ts'
import { countReferences, formatReferences } from '../../db/references.queries.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command, flag, OF_RESELLER } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { printRecord } from '../tenants/print.ts'
import { findResellerId, requireBrand, requireCustomer, requireReseller } from '../tenants/require-tenant.ts'
import { readBrand, readCustomer, readReseller } from '../tenants/tenants.queries.ts'
import { requireUser } from '../tenants/user.ts'
import { deleteBrand, deleteCustomer, deleteReseller, deleteResellerLabels, deleteUser, lockTenant } from './remove.queries.ts'

const SYSTEM = { role: 'counterfoil_system' } as const
const YES = flag('do it without being asked')
const NOTE = 'It is refused, with the reason, while anything depends on it.'

export const resellerRemoveCommand = command({
  name: 'reseller remove',
  about: 'remove a reseller that has no brands, customers, users and services, with its payment settings and labels',
  arguments: { reseller: 'text' },
  options: { yes: YES },
  note: NOTE,
  resolve: ({ store }, { reseller }) => store.transact(SYSTEM, (db) => requireReseller(db, reseller)),
  confirm: ({ reseller }) => `Remove the reseller ${reseller}? It cannot be taken back.`,
  run: async (deps, io, { reseller: ref }) => {
    const removed = await deps.store.transact(SYSTEM, async (db) => {
      const { id, name } = await requireReseller(db, ref)
      await actAsReseller(db, id)
      await lockTenant(db, 'reseller', id)
      await assertNotReferenced(db, 'reseller', name, id)
      const before = await readReseller(db, id)
      await deleteResellerLabels(db, id)
      await actAsSystem(db)
      await deleteReseller(db, id)
      await auditOperator(db, deps, 'reseller.removed', { resellerId: id, subject: `reseller ${id}`, before })
      return { id, name, removed: true }
    })
    return printRecord(io, removed, `Reseller ${removed.name} (${removed.id}) is removed.`)
  },
})

export const brandRemoveCommand = command({
  name: 'brand remove',
  about: 'remove a brand that no customer sees and nobody signs in under, with its pictures',
  arguments: { brand: 'text' },
  options: { yes: YES, reseller: OF_RESELLER },
  note: NOTE,
  resolve: ({ store }, { brand }, { reseller }) =>
    store.transact(SYSTEM, async (db) => requireBrand(db, brand, await findResellerId(db, reseller))),
  confirm: ({ brand }) => `Remove the brand ${brand}? It cannot be taken back.`,
  run: async (deps, io, { brand: ref }, options) => {
    const removed = await deps.store.transact(SYSTEM, async (db) => {
      const { id, name, resellerId } = await requireBrand(db, ref, await findResellerId(db, options.reseller))
      await actAsReseller(db, resellerId)
      await lockTenant(db, 'brand', id)
      await assertNotReferenced(db, 'brand', name, id)
      const before = await readBrand(db, id)
      await deleteBrand(db, id)
      await auditOperator(db, deps, 'brand.removed', { resellerId, subject: `brand ${id}`, before })
      return { id, name, removed: true }
    })
    return printRecord(io, removed, `Brand ${removed.name} (${removed.id}) is removed.`)
  },
})

export const customerRemoveCommand = command({
  name: 'customer remove',
  about: 'remove a customer without invoices, usage, payments and users, by its external id or its id',
  arguments: { customer: 'text' },
  options: { yes: YES, reseller: OF_RESELLER },
  note: NOTE,
  resolve: ({ store }, { customer }, { reseller }) =>
    store.transact(SYSTEM, async (db) => requireCustomer(db, customer, await findResellerId(db, reseller))),
  confirm: ({ customer }) => `Remove the customer ${customer}? It cannot be taken back.`,
  run: async (deps, io, { customer: ref }, options) => {
    const removed = await deps.store.transact(SYSTEM, async (db) => {
      const { id, name, resellerId } = await requireCustomer(db, ref, await findResellerId(db, options.reseller))
      await actAsReseller(db, resellerId)
      await lockTenant(db, 'customer', id)
      await assertNotReferenced(db, 'customer', name, id)
      const before = await readCustomer(db, id)
      await deleteCustomer(db, id)
      await auditOperator(db, deps, 'customer.removed', { resellerId, subject: `customer ${id}`, before })
      return { id, name, removed: true }
    })
    return printRecord(io, removed, `Customer ${removed.name} (${removed.id}) is removed.`)
  },
})

export const userRemoveCommand = command({
  name: 'user remove',
  about: 'remove a user for good; user disable keeps it',
  arguments: { username: 'text' },
  options: { yes: YES },
  note: 'What the user did stays: payments, reports, and the audit log.',
  resolve: ({ store }, { username }) => store.transact(SYSTEM, (db) => requireUser(db, username)),
  confirm: ({ username }) => `Remove the user ${username}, and end every session? It cannot be taken back.`,
  run: async (deps, io, { username: ref }) => {
    const removed = await deps.store.transact(SYSTEM, async (db) => {
      const { id, username, reseller } = await requireUser(db, ref)
      await actAsReseller(db, reseller)
      await deleteUser(db, id)
      await auditOperator(db, deps, 'user.removed', { resellerId: reseller, subject: `user ${id}`, detail: username })
      return { id, username, removed: true }
    })
    return printRecord(io, removed, `User ${removed.username} is removed.`)
  },
})

/** @throws OperatorError that counts the rows which depend on this one; REFERENCES names their kinds. Runs as counterfoil_reseller */
const assertNotReferenced = async (db: Db, table: 'reseller' | 'brand' | 'customer', name: string, id: number): Promise<void> => {
  const row: RawBuilder<unknown> = sql`select t.* from ${sql.table(table)} t where t.id = ${id}`
  const references = await countReferences(db, table, row)
  if (references.length > 0) throw new OperatorError(`Nothing was removed: ${formatReferences(references)} depend on the ${table} ${name}.`)
}
