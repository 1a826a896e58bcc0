import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface ResetRequest {
  readonly id: string
  /** The users of the address who may reset their password: none, one or several. */
  readonly userIds: readonly string[]
}

/** Stores a password reset request: one row whether or not a user has this address, so that the response time says nothing. */
export const storeResetRequest = async (db: Db, email: string, brandId: number | undefined, now: Date): Promise<void> => {
  await sql`insert into reset_request (id, email, brand_id, asked_at) values (${randomUUID()}, ${email}, ${brandId ?? null}, ${now})`.execute(
    db,
  )
}

/**
 * Removes the oldest request and returns it with its users: those of the requested brand who are not disabled and have a password
 * (the others register first, or sign in through an organization). Undefined when there is none.
 */
export const claimResetRequest = async (db: Db): Promise<ResetRequest | undefined> => {
  const { rows } = await sql<ResetRequest>`
    with next as (select id from reset_request order by asked_at limit 1 for update skip locked),
    taken as (delete from reset_request r using next where r.id = next.id returning r.*)
    select t.id, array(
      select u.id::text from app_user u
      where lower(u.email) = lower(t.email) and u.disabled_at is null and u.password_hash is not null
        and (t.brand_id is null or u.brand_id = t.brand_id)
      order by lower(u.username)) as "userIds"
    from taken t`.execute(db)
  return rows[0]
}
