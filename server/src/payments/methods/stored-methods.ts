import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { Account } from '../accounts/accounts.ts'
import { findProviderCustomerId } from '../accounts/accounts.queries.ts'
import {
  lockCustomerMethods,
  markMethodsRemoved,
  type MethodRow,
  listMethodRows,
  upsertMethod,
  setDefaultMethod,
} from './stored-methods.queries.ts'
import { ensureProviderCustomer } from './provider-customers.ts'
import { transactAsReseller, type CustomerKey, type PaymentsDeps } from '../payments-deps.ts'
import type { StoredMethod } from '../providers/provider.ts'

/** Writes the audit event of a changed method, last in its transaction. */
export type WriteMethodAudit = (db: Db, methodId: string) => Promise<void>

/** A customer's stored methods, first added first. */
export const listStoredMethods = (deps: PaymentsDeps, provider: string, { resellerId, customerId }: CustomerKey): Promise<MethodRow[]> =>
  transactAsReseller(deps, resellerId, (db) => listMethodRows(db, customerId, provider))

/** A customer's methods, synchronized with the provider where it is the source of truth; the stored ones while it does not answer. */
export const listCurrentMethods = async (deps: PaymentsDeps, account: Account, customer: CustomerKey): Promise<MethodRow[]> => {
  const { provider, context, debitKind } = account
  const providerCustomerId = await transactAsReseller(deps, customer.resellerId, (db) =>
    findProviderCustomerId(db, customer.customerId, provider.name),
  )
  if (provider.listMethods === undefined || providerCustomerId === null) return listStoredMethods(deps, provider.name, customer)
  const types = debitKind === null ? ['card'] : ['card', debitKind.type]
  const listed = await provider.listMethods(context, providerCustomerId, types).catch((error: unknown) => {
    deps.log.warn(
      { err: error, resellerId: customer.resellerId, provider: provider.name },
      'stored methods could not be listed at the provider; the known ones are shown',
    )
    return null
  })
  if (listed === null) return listStoredMethods(deps, provider.name, customer)
  return updateMethods(deps, account, customer, async (db, now) => {
    await syncMethods(db, customer, provider.name, listed, now)
    return ''
  })
}

const syncMethods = async (
  db: Db,
  { customerId }: CustomerKey,
  provider: string,
  listed: readonly StoredMethod[],
  now: Date,
): Promise<void> => {
  const tokens = new Set(listed.map(({ token }) => token))
  const known = await listMethodRows(db, customerId, provider)
  const gone = known.filter(({ token }) => !tokens.has(token)).map(({ id }) => id)
  if (gone.length > 0) await markMethodsRemoved(db, customerId, gone, now)
  // Inserting in the provider’s order keeps it (`added_no`).
  for (const method of listed) await upsertMethod(db, customerId, provider, { ...method, id: randomUUID(), addedAt: now })
}

/**
 * Saves a method that the provider has stored; the first one becomes the default.
 * @returns its id
 */
export const saveMethod = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerKey,
  method: StoredMethod,
  writeAudit: WriteMethodAudit,
): Promise<string> => {
  let id = ''
  const save = async (db: Db, now: Date): Promise<string> => {
    id = await upsertMethod(db, customer.customerId, account.provider.name, { ...method, id: randomUUID(), addedAt: now })
    return id
  }
  await updateMethods(deps, account, customer, save, { writeAudit })
  return id
}

/** Removes a method; where it was the default, the first remaining one becomes it, of the same kind if there is one. */
export const removeStoredMethod = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerKey,
  method: MethodRow,
  writeAudit: WriteMethodAudit,
): Promise<void> => {
  const remove = async (db: Db, now: Date): Promise<string> => {
    await markMethodsRemoved(db, customer.customerId, [method.id], now)
    return method.id
  }
  await updateMethods(deps, account, customer, remove, { preferred: method.kind, writeAudit })
}

/** Makes a method the default, here and at the provider. */
export const changeDefaultMethod = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerKey,
  method: MethodRow,
  writeAudit: WriteMethodAudit,
): Promise<void> => {
  const { provider, context } = account
  const providerCustomerId = await ensureProviderCustomer(deps, account, customer)
  if (providerCustomerId !== null) await provider.setDefaultMethod?.(context, providerCustomerId, method.token)
  await transactAsReseller(deps, customer.resellerId, async (db) => {
    await lockCustomerMethods(db, customer.customerId)
    await setDefaultMethod(db, customer.customerId, method.id)
    await writeAudit(db, method.id)
  })
}

/** Updates a customer's methods in one transaction, and keeps one of them the default as long as there is one. */
const updateMethods = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerKey,
  update: (db: Db, now: Date) => Promise<string>,
  { preferred = 'card', writeAudit }: { preferred?: MethodRow['kind']; writeAudit?: WriteMethodAudit } = {},
): Promise<MethodRow[]> => {
  const { resellerId, customerId } = customer
  const name = account.provider.name
  const { rows, chosen: newDefault } = await transactAsReseller(deps, resellerId, async (db) => {
    await lockCustomerMethods(db, customerId)
    const id = await update(db, deps.clock())
    const newDefault = nextDefault(await listMethodRows(db, customerId, name), preferred)
    if (newDefault !== null) await setDefaultMethod(db, customerId, newDefault.id)
    const rows = await listMethodRows(db, customerId, name)
    await writeAudit?.(db, id)
    return { chosen: newDefault, rows }
  })
  if (newDefault !== null) await updateProviderDefault(deps, account, customer, newDefault)
  return rows
}

const nextDefault = (rows: readonly MethodRow[], preferred: MethodRow['kind']): MethodRow | null => {
  if (rows.some(({ isDefault }) => isDefault)) return null
  const ready = rows.filter(({ status }) => status === 'ready')
  return ready.find(({ kind }) => kind === preferred) ?? ready[0] ?? null
}

/** The provider's default follows ours; when it cannot be reached, ours still applies. */
const updateProviderDefault = async (deps: PaymentsDeps, account: Account, customer: CustomerKey, { token }: MethodRow): Promise<void> => {
  const { provider, context } = account
  try {
    const providerCustomerId = await ensureProviderCustomer(deps, account, customer)
    if (providerCustomerId !== null) await provider.setDefaultMethod?.(context, providerCustomerId, token)
  } catch (error) {
    deps.log.warn({ err: error, provider: provider.name }, 'the default method could not be set at the provider')
  }
}
