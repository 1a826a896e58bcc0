import { sql } from 'kysely'
import type { Store } from '../../db/database.ts'

/** What a lost master key takes with it. */
export interface Losses {
  readonly resellerIds: readonly number[]
  /** Users with a password. */
  readonly users: number
  /** Resellers' accounts at payment companies. */
  readonly accounts: number
  /** Organizations with a client secret for single sign-on. */
  readonly organizations: number
  /** Invoices with a payment link. */
  readonly payLinks: number
}

/** Counts, over all resellers, what a new master key makes useless. Changes nothing. */
export const countLosses = async (store: Store): Promise<Losses> => {
  const { resellers, ofSystem } = await store.transact({ role: 'counterfoil_system' }, async (db) => ({
    resellers: await db.selectFrom('reseller').select('id').orderBy('id').execute(),
    ofSystem: await sql<{ users: number; organizations: number }>`
      select (select count(*)::int from app_user where password_hash is not null) as users,
        (select count(*)::int from sso_organization where client_secret is not null) as organizations`.execute(db),
  }))
  const { users = 0, organizations = 0 } = ofSystem.rows[0] ?? {}
  const resellerIds = resellers.map(({ id }) => id)
  let [accounts, payLinks] = [0, 0]
  for (const resellerId of resellerIds) {
    const { rows } = await store.transact(
      { role: 'counterfoil_reseller', resellerId },
      (db) =>
        sql<{ accounts: number; payLinks: number }>`
          select (select count(*)::int from payment_account where replaced_at is null) as accounts,
            (select count(*)::int from invoice where pay_token_hash is not null) as "payLinks"`.execute(db),
      { pool: 'background' },
    )
    accounts += rows[0]?.accounts ?? 0
    payLinks += rows[0]?.payLinks ?? 0
  }
  return { resellerIds, users, accounts, organizations, payLinks }
}
