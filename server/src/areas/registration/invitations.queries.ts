import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** The user to invite. */
export interface InvitedUser {
  readonly resellerId: number
  readonly brandId: number
  readonly username: string
  readonly email: string
  readonly displayName: string
}

export interface KnownUser {
  readonly id: string
  readonly brandId: number
  readonly isRegistered: boolean
  readonly isDisabled: boolean
}

/**
 * Finds the reseller's user with this username, ignoring case, and locks the row until the transaction ends; undefined without one. Runs as
 * counterfoil_reseller.
 */
export const lockUserNamed = async (db: Db, username: string): Promise<KnownUser | undefined> => {
  const { rows } = await sql<KnownUser>`
    select id, brand_id as "brandId", password_hash is not null as "isRegistered", disabled_at is not null as "isDisabled"
    from app_user where lower(username) = lower(${username}) for update`.execute(db)
  return rows[0]
}

/** Inserts a user without a password. @returns the id; undefined when the username is taken, perhaps by another reseller */
export const insertInvitedUser = async (
  db: Db,
  { resellerId, brandId, username, email, displayName }: InvitedUser,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    insert into app_user (reseller_id, brand_id, username, email, display_name)
    values (${resellerId}, ${brandId}, ${username}, ${email}, ${displayName})
    on conflict do nothing returning id`.execute(db)
  return rows[0]?.id
}

/** Updates the email address and the name of a user who is invited again. */
export const updateInvitedUser = async (db: Db, id: string, { email, displayName }: InvitedUser): Promise<void> => {
  await db.updateTable('app_user').set({ email, display_name: displayName }).where('id', '=', id).execute()
}

/**
 * Lets a user act for customers; the first is selected. Ids that are not the reseller's are left out silently.
 * @returns the ids that are the reseller's
 */
export const linkCustomers = async (db: Db, userId: string, customerIds: readonly number[]): Promise<number[]> => {
  if (customerIds.length === 0) return []
  const found = await db
    .selectFrom('customer')
    .select('id')
    .where('id', 'in', [...customerIds])
    .execute()
  for (const { id } of found)
    await sql`
      insert into user_customer (user_id, customer_id, selected) values (${userId}, ${id}, ${id === customerIds[0]}) on conflict do nothing`.execute(
      db,
    )
  return found.map(({ id }) => id)
}

/** Whether the reseller has this brand. */
export const hasBrand = async (db: Db, resellerId: number, brandId: number): Promise<boolean> =>
  (await db.selectFrom('brand').select('id').where('id', '=', brandId).where('reseller_id', '=', resellerId).executeTakeFirst()) !==
  undefined
