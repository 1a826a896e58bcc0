import { sql } from 'kysely'
import { hasCardNumber } from '../../kit/card-number.ts'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { MethodDetails, MethodRow, StoredMethod } from '../providers/method.ts'

/** A customer's methods at an account that were not removed, first added first. */
export const listMethodRows = async (db: Db, { owns }: CustomerScope, accountId: number): Promise<MethodRow[]> => {
  const rows = await db
    .selectFrom('payment_method')
    .select(['id', 'token', 'kind', 'type', 'shown as details', 'status', 'is_default as isDefault'])
    .where(owns('payment_method'))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .orderBy('added_no')
    .execute()
  return rows.map((row) => ({ ...row, details: row.details as MethodDetails }))
}

/**
 * Inserts a method, or updates details and status of the one with this token. Card numbers among the details are left out.
 * @returns its id
 */
export const upsertMethod = async (
  db: Db,
  { customerId }: CustomerScope,
  accountId: number,
  method: StoredMethod & { id: string; addedAt: Date },
): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    insert into payment_method (customer_id, id, account_id, token, kind, type, shown, status, added_at)
    values (${customerId}, ${method.id}, ${accountId}, ${method.token}, ${method.kind}, ${method.type}, ${JSON.stringify(withoutCardNumbers(method.details))},
      ${method.status}, ${method.addedAt})
    on conflict (customer_id, account_id, token) where removed_at is null do update set shown = excluded.shown, status = excluded.status
    returning id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a stored method has no id')
  return row.id
}

/**
 * The details without those that contain a card number: providers return names and addresses as typed. `networkRef` stays, since nobody
 * types it and one in ten looks like a card number.
 */
const withoutCardNumbers = (shown: MethodDetails): MethodDetails =>
  Object.fromEntries(Object.entries(shown).filter(([name, value]) => name === 'networkRef' || !hasCardNumber(JSON.stringify(value))))

/** Marks methods of the customer as removed, and as no default any more, in this database alone: the provider is not told. */
export const markMethodsRemoved = async (db: Db, { owns }: CustomerScope, ids: readonly string[], now: Date): Promise<void> => {
  await sql`
    update payment_method set removed_at = ${now}, is_default = false
    where ${owns('payment_method')} and id = any(${ids}::uuid[]) and removed_at is null`.execute(db)
}

/** Makes one method the only default of its account, in this database alone. The caller's transaction commits it. */
export const setDefaultMethod = async (db: Db, { owns }: CustomerScope, accountId: number, id: string): Promise<void> => {
  await sql`
    update payment_method set is_default = false
    where ${owns('payment_method')} and account_id = ${accountId} and is_default and id <> ${id}`.execute(db)
  await sql`update payment_method set is_default = true where ${owns('payment_method')} and id = ${id} and removed_at is null`.execute(db)
}

/** Locks out other changes of one customer's methods until the transaction ends. */
export const lockCustomerMethods = async (db: Db, { customerId }: CustomerScope): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('payment methods'), hashtext(${String(customerId)}))`.execute(db)
}
