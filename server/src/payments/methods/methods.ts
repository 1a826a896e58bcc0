import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { Account } from '../accounts/accounts.ts'
import { ownerRow } from '../accounts/accounts.queries.ts'
import { awaitCustomersTurn, markRemoved, type MethodRow, methodRows, putMethod, setDefault } from './methods.queries.ts'
import { providerCustomerOf } from './provider-customers.ts'
import { transactAsReseller, type CustomerKey, type PaymentsDeps } from '../payments-deps.ts'
import type { StoredMethod } from '../providers/provider.ts'

/** Tells the audit log of the method that was changed, last in the transaction that does it. */
export type MethodNote = (db: Db, methodId: string) => Promise<void>

/** A customer's methods as the house knows them, first added first. */
export const knownMethods = (deps: PaymentsDeps, provider: string, { resellerId, customerId }: CustomerKey): Promise<MethodRow[]> =>
  transactAsReseller(deps, resellerId, (db) => methodRows(db, customerId, provider))

/**
 * A customer's methods, brought up to date where the company is the one that knows them; while it cannot be asked, those that are known.
 */
export const currentMethods = async (deps: PaymentsDeps, account: Account, payer: CustomerKey): Promise<MethodRow[]> => {
  const { provider, call, debitType } = account
  const owner = await transactAsReseller(deps, payer.resellerId, (db) => ownerRow(db, payer.customerId, provider.name))
  if (provider.methods === undefined || owner === null) return knownMethods(deps, provider.name, payer)
  const types = debitType === null ? ['card'] : ['card', debitType]
  const theirs = await provider.methods(call, owner, types).catch((error: unknown) => {
    deps.log.warn(
      { err: error, resellerId: payer.resellerId, provider: provider.name },
      'stored methods could not be asked for; those that are known are shown',
    )
    return null
  })
  if (theirs === null) return knownMethods(deps, provider.name, payer)
  return changed(deps, account, payer, async (db, now) => {
    await bringUpToDate(db, payer, provider.name, theirs, now)
    return ''
  })
}

const bringUpToDate = async (
  db: Db,
  { customerId }: CustomerKey,
  provider: string,
  theirs: readonly StoredMethod[],
  now: Date,
): Promise<void> => {
  const tokens = new Set(theirs.map(({ token }) => token))
  const ours = await methodRows(db, customerId, provider)
  const gone = ours.filter(({ token }) => !tokens.has(token)).map(({ id }) => id)
  if (gone.length > 0) await markRemoved(db, customerId, gone, now)
  // The company's order is kept: those that come together are a breath apart.
  for (const method of theirs) await putMethod(db, customerId, provider, { ...method, id: randomUUID(), addedAt: now })
}

/** Keeps a method that the company has stored; the first one becomes the default. Gives its id. */
export const keepMethod = async (
  deps: PaymentsDeps,
  account: Account,
  payer: CustomerKey,
  method: StoredMethod,
  note: MethodNote,
): Promise<string> => {
  let id = ''
  const keep = async (db: Db, now: Date): Promise<string> => {
    id = await putMethod(db, payer.customerId, account.provider.name, { ...method, id: randomUUID(), addedAt: now })
    return id
  }
  await changed(deps, account, payer, keep, { note })
  return id
}

/** Forgets a method; where it was the default, the first one left becomes it, of the same kind if there is one. */
export const dropMethod = async (
  deps: PaymentsDeps,
  account: Account,
  payer: CustomerKey,
  method: MethodRow,
  note: MethodNote,
): Promise<void> => {
  const drop = async (db: Db, now: Date): Promise<string> => {
    await markRemoved(db, payer.customerId, [method.id], now)
    return method.id
  }
  await changed(deps, account, payer, drop, { preferred: method.kind, note })
}

/** Makes a method the default, here and at the company. */
export const chooseDefault = async (
  deps: PaymentsDeps,
  account: Account,
  payer: CustomerKey,
  method: MethodRow,
  note: MethodNote,
): Promise<void> => {
  const { provider, call } = account
  const owner = await providerCustomerOf(deps, account, payer)
  if (owner !== null) await provider.makeDefault?.(call, owner, method.token)
  await transactAsReseller(deps, payer.resellerId, async (db) => {
    await awaitCustomersTurn(db, payer.customerId)
    await setDefault(db, payer.customerId, method.id)
    await note(db, method.id)
  })
}

/** Changes a customer's methods, and sees to it that one of them is the default as long as there is one. */
const changed = async (
  deps: PaymentsDeps,
  account: Account,
  payer: CustomerKey,
  change: (db: Db, now: Date) => Promise<string>,
  { preferred = 'card', note }: { preferred?: MethodRow['kind']; note?: MethodNote } = {},
): Promise<MethodRow[]> => {
  const { resellerId, customerId } = payer
  const name = account.provider.name
  const { rows, chosen } = await transactAsReseller(deps, resellerId, async (db) => {
    await awaitCustomersTurn(db, customerId)
    const id = await change(db, deps.clock())
    const chosen = nextDefault(await methodRows(db, customerId, name), preferred)
    if (chosen !== null) await setDefault(db, customerId, chosen.id)
    const rows = await methodRows(db, customerId, name)
    await note?.(db, id)
    return { chosen, rows }
  })
  if (chosen !== null) await tellDefault(deps, account, payer, chosen)
  return rows
}

const nextDefault = (rows: readonly MethodRow[], preferred: MethodRow['kind']): MethodRow | null => {
  if (rows.some(({ isDefault }) => isDefault)) return null
  const ready = rows.filter(({ status }) => status === 'ready')
  return ready.find(({ kind }) => kind === preferred) ?? ready[0] ?? null
}

/** The company's own default follows ours; should it not be reachable, ours counts all the same. */
const tellDefault = async (deps: PaymentsDeps, account: Account, payer: CustomerKey, { token }: MethodRow): Promise<void> => {
  const { provider, call } = account
  try {
    const owner = await providerCustomerOf(deps, account, payer)
    if (owner !== null) await provider.makeDefault?.(call, owner, token)
  } catch (error) {
    deps.log.warn({ err: error, provider: provider.name }, 'the company could not be told which method is the default')
  }
}
