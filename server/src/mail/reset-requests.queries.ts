import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { enqueueJob } from '../queue/job.queries.ts'
import { addMs } from '../kit/clock.ts'
import { MAIL_TTL_MS } from './mail.queries.ts'

/** Stores a password reset request: the same rows whether or not a user has this address, so that the response time says nothing. */
export const storeResetRequest = async (db: Db, email: string, brandId: number | undefined, now: Date): Promise<void> => {
  const id = randomUUID()
  await sql`insert into reset_request (id, email, brand_id, asked_at) values (${id}, ${email}, ${brandId ?? null}, ${now})`.execute(db)
  await enqueueJob(db, { kind: 'reset-request', id, giveUpAt: addMs(now, MAIL_TTL_MS.reset) }, now)
}

/**
 * Removes a request and returns its users: those of the requested brand who are not disabled and have a password (the others register
 * first, or sign in through an organization). None when the request is gone.
 */
export const takeResetRequest = async (db: Db, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with taken as (delete from reset_request where id = ${id} returning email, brand_id)
    select u.id::text from taken t join app_user u on lower(u.email) = lower(t.email)
    where u.disabled_at is null and u.password_hash is not null and (t.brand_id is null or u.brand_id = t.brand_id)
    order by lower(u.username)`.execute(db)
  return rows.map((user) => user.id)
}
