import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { Account } from '../accounts/accounts.ts'
import { findProviderCustomerId } from '../accounts/accounts.queries.ts'
import { lockCustomerMethods, markMethodsRemoved, listMethodRows, upsertMethod, setDefaultMethod } from './stored-methods.queries.ts'
import { ensureProviderCustomer } from './provider-customers.ts'
import type { MethodRow } from '../providers/method.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { KnownMethod, StoredMethod } from '../providers/method.ts'

/** Writes the audit event of a changed method, last in its transaction. */
export type WriteMethodAudit = (db: Db, methodId: string) => Promise<void>

/** A customer's methods at an account as this database has them, first added first: the provider is not asked. */
export const listStoredMethods = (deps: PaymentsDeps, accountId: number, customer: CustomerScope): Promise<MethodRow[]> =>
  transactAsReseller(deps, customer.resellerId, (db) => listMethodRows(db, customer, accountId))

/** A stored method with the provider's id of its customer, as this database has it. */
export const readMethodWithCustomer = async (
  deps: PaymentsDeps,
  { id: accountId }: Account,
  customer: CustomerScope,
  { token, kind, details }: MethodRow,
): Promise<KnownMethod> => {
  const providerCustomerId = await transactAsReseller(deps, customer.resellerId, (db) => findProviderCustomerId(db, customer, accountId))
  return { token, kind, providerCustomerId, details }
}

/**
 * A customer's methods, where the provider is the source of truth as it lists them now, which is stored here too; the stored ones while it
 * does not answer.
 */
export const listCurrentMethods = async (deps: PaymentsDeps, account: Account, customer: CustomerScope): Promise<MethodRow[]> => {
  const { id: accountId, provider, context, debitKind } = account
  const providerCustomerId = await transactAsReseller(deps, customer.resellerId, (db) => findProviderCustomerId(db, customer, accountId))
  if (provider.storing.list === undefined || providerCustomerId === null) return listStoredMethods(deps, accountId, customer)
  const types = debitKind === null ? ['card'] : ['card', debitKind.type]
  const listed = await provider.storing.list(context, providerCustomerId, types).catch((error: unknown) => {
    deps.log.warn(
      { err: error, resellerId: customer.resellerId, provider: provider.name },
      'stored methods could not be listed at the provider; the known ones are shown',
    )
    return null
  })
  if (listed === null) return listStoredMethods(deps, accountId, customer)
  return updateMethods(deps, account, customer, async (db, now) => {
    await syncMethods(db, customer, accountId, listed, now)
    return ''
  })
}

/** Makes the stored methods those that the provider lists: adds and updates them, and marks all others as removed. */
const syncMethods = async (
  db: Db,
  customer: CustomerScope,
  accountId: number,
  listed: readonly StoredMethod[],
  now: Date,
): Promise<void> => {
  const tokens = new Set(listed.map(({ token }) => token))
  const known = await listMethodRows(db, customer, accountId)
  const gone = known.filter(({ token }) => !tokens.has(token)).map(({ id }) => id)
  if (gone.length > 0) await markMethodsRemoved(db, customer, gone, now)
  // Inserting in the provider’s order keeps it (`added_no`).
  for (const method of listed) await upsertMethod(db, customer, accountId, { ...method, id: randomUUID(), addedAt: now })
}

/**
 * Commits a method that the provider has stored; the first one becomes the default.
 * @returns its id
 */
export const saveMethod = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  method: StoredMethod,
  writeAudit: WriteMethodAudit,
): Promise<string> => {
  let id = ''
  const save = async (db: Db, now: Date): Promise<string> => {
    id = await upsertMethod(db, customer, account.id, { ...method, id: randomUUID(), addedAt: now })
    return id
  }
  await updateMethods(deps, account, customer, save, { writeAudit })
  return id
}

/**
 * Marks a method as removed here alone, not at the provider. Where it was the default, the first remaining one becomes it, of the same kind
 * if there is one.
 */
export const removeStoredMethod = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  method: MethodRow,
  writeAudit: WriteMethodAudit,
): Promise<void> => {
  const remove = async (db: Db, now: Date): Promise<string> => {
    await markMethodsRemoved(db, customer, [method.id], now)
    return method.id
  }
  await updateMethods(deps, account, customer, remove, { preferred: method.kind, writeAudit })
}

/** Makes a method the default: at the provider first, so that a failure there changes nothing here. */
export const changeDefaultMethod = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  method: MethodRow,
  writeAudit: WriteMethodAudit,
): Promise<void> => {
  await setProviderDefault(deps, account, customer, method)
  await transactAsReseller(deps, customer.resellerId, async (db) => {
    await lockCustomerMethods(db, customer)
    await setDefaultMethod(db, customer, account.id, method.id)
    await writeAudit(db, method.id)
  })
}

/**
 * Updates a customer's methods in one transaction of its own, and keeps one of them the default as long as one is ready; the provider is
 * told of a new default afterwards.
 * @returns the methods afterwards
 */
const updateMethods = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  update: (db: Db, now: Date) => Promise<string>,
  { preferred = 'card', writeAudit }: { preferred?: MethodRow['kind']; writeAudit?: WriteMethodAudit } = {},
): Promise<MethodRow[]> => {
  const { rows, chosen: newDefault } = await transactAsReseller(deps, customer.resellerId, async (db) => {
    await lockCustomerMethods(db, customer)
    const id = await update(db, deps.clock())
    const newDefault = nextDefault(await listMethodRows(db, customer, account.id), preferred)
    if (newDefault !== null) await setDefaultMethod(db, customer, account.id, newDefault.id)
    const rows = await listMethodRows(db, customer, account.id)
    await writeAudit?.(db, id)
    return { chosen: newDefault, rows }
  })
  if (newDefault !== null) await updateProviderDefault(deps, account, customer, newDefault)
  return rows
}

/** The method that is to become the default; null where there is a default, or none is ready. */
const nextDefault = (rows: readonly MethodRow[], preferred: MethodRow['kind']): MethodRow | null => {
  if (rows.some(({ isDefault }) => isDefault)) return null
  const ready = rows.filter(({ status }) => status === 'ready')
  return ready.find(({ kind }) => kind === preferred) ?? ready[0] ?? null
}

/** Sets the default at the provider as ours; a failure is only logged, and ours still applies. */
const updateProviderDefault = async (deps: PaymentsDeps, account: Account, customer: CustomerScope, method: MethodRow): Promise<void> => {
  try {
    await setProviderDefault(deps, account, customer, method)
  } catch (error) {
    deps.log.warn({ err: error, provider: account.provider.name }, 'the default method could not be set at the provider')
  }
}

/** Sets the default at a provider that has one, where the customer is created if needed; no call at any other provider. */
const setProviderDefault = async (deps: PaymentsDeps, account: Account, customer: CustomerScope, { token }: MethodRow): Promise<void> => {
  const { provider, context } = account
  if (provider.storing.setDefault === undefined) return
  const providerCustomerId = await ensureProviderCustomer(deps, account, customer)
  if (providerCustomerId !== null) await provider.storing.setDefault(context, providerCustomerId, token)
}
