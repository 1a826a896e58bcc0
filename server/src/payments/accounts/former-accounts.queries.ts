import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ATTEMPT_STATUSES, isLive } from '../attempts/attempt.ts'

const LIVE_STATUSES = ATTEMPT_STATUSES.filter(isLive)

/** An account that a reseller has, or had. */
export interface StoredAccount {
  readonly id: number
  readonly provider: string
  readonly baseUrl: string
  /** What tells it from others at the same address; null where that is not known yet. */
  readonly identity: string | null
  /** Null once its credentials are deleted. */
  readonly sealed: Buffer | null
  /** Null while it is in use. */
  readonly replacedAt: Date | null
}

/** The accounts of a reseller, at one provider or at all: those in use first, then the latest former ones. Runs as counterfoil_reseller. */
export const listAccounts = (db: Db, resellerId: number, provider: string | null = null): Promise<StoredAccount[]> =>
  db
    .selectFrom('payment_account')
    .select(['id', 'provider', 'base_url as baseUrl', 'identity', 'sealed', 'replaced_at as replacedAt'])
    .where('reseller_id', '=', resellerId)
    .$if(provider !== null, (query) => query.where('provider', '=', provider ?? ''))
    .orderBy(sql`replaced_at desc nulls first`)
    .orderBy('id', 'desc')
    .execute()

/** What an account is stored with. */
interface AccountRow {
  readonly resellerId: number
  readonly provider: string
  readonly baseUrl: string
  readonly identity: string | null
  readonly sealed: Buffer
}

/** Inserts an account, which is in use from now on. */
export const insertAccount = async (db: Db, account: AccountRow, now: Date): Promise<void> => {
  const { resellerId: reseller_id, provider, baseUrl: base_url, identity, sealed } = account
  await db.insertInto('payment_account').values({ reseller_id, provider, base_url, identity, sealed, changed_at: now }).execute()
}

/**
 * Replaces the address and credentials of an account, which is in use from now on, also when it was a former one. Null leaves the identity
 * that is known.
 */
export const updateAccount = async (
  db: Db,
  id: number,
  { baseUrl, identity, sealed }: Omit<AccountRow, 'resellerId' | 'provider'>,
  now: Date,
) => {
  await db
    .updateTable('payment_account')
    .set({ base_url: baseUrl, sealed, changed_at: now, replaced_at: null, ...(identity === null ? {} : { identity }) })
    .where('id', '=', id)
    .execute()
}

/** Stores what tells an account from others at the same address. */
export const setAccountIdentity = async (db: Db, id: number, identity: string): Promise<void> => {
  await db.updateTable('payment_account').set({ identity }).where('id', '=', id).execute()
}

/**
 * Takes an account out of use. Its credentials and its payments are kept.
 * @returns false when it was not in use
 */
export const replaceAccount = async (db: Db, id: number, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('payment_account')
    .set({ replaced_at: now })
    .where('id', '=', id)
    .where('replaced_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Takes the latest former account at a provider into use again, where its credentials are kept and no other is in use. */
export const reuseLatestAccount = async (db: Db, resellerId: number, provider: string): Promise<void> => {
  await sql`
    update payment_account set replaced_at = null where id = (
      select id from payment_account where reseller_id = ${resellerId} and provider = ${provider} and sealed is not null
      order by replaced_at desc nulls first limit 1)
    and replaced_at is not null`.execute(db)
}

/** What still rests on an account. */
export interface AccountUse {
  /** Payments whose outcome may still change, and refunds whose outcome nobody knows. */
  readonly livePayments: number
  readonly storedMethods: number
  /** Whose methods they are. */
  readonly customers: number
  /** When its last payment was sent or ended; null without one. */
  readonly lastPaymentAt: Date | null
}

/** Counts what still rests on an account: unfinished payments, stored methods and their customers. Runs as counterfoil_reseller. */
export const readAccountUse = async (db: Db, accountId: number): Promise<AccountUse> => {
  const { rows } = await sql<AccountUse>`
    select (select count(*)::int from payment_attempt where account_id = ${accountId}
        and (status = any(${LIVE_STATUSES}) or refund_sent_minor is not null)) as "livePayments",
      (select max(greatest(created_at, sent_at, resolved_at)) from payment_attempt where account_id = ${accountId}) as "lastPaymentAt",
      count(*)::int as "storedMethods", count(distinct customer_id)::int as customers
    from payment_method where account_id = ${accountId} and removed_at is null`.execute(db)
  const [use] = rows
  if (use === undefined) throw new Error('an account has no use')
  return use
}

/**
 * Locks a former account, so that no payment is claimed at it until the transaction ends.
 * @returns undefined where there is none of that id with credentials
 */
export const lockFormerAccount = async (db: Db, resellerId: number, id: number): Promise<{ readonly provider: string } | undefined> =>
  db
    .selectFrom('payment_account')
    .select('provider')
    .where('reseller_id', '=', resellerId)
    .where('id', '=', id)
    .where('replaced_at', 'is not', null)
    .where('sealed', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

/** Deletes the credentials of a former account; nothing happens to one in use. Its name and its payments stay. */
export const deleteAccountSecrets = async (db: Db, id: number): Promise<void> => {
  await db.updateTable('payment_account').set({ sealed: null }).where('id', '=', id).where('replaced_at', 'is not', null).execute()
}
