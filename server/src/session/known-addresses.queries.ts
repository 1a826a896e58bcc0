import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { KnownAddress } from './known-addresses.ts'

/** Whether the hash of a user and an address is stored, and its time is not over. */
export const isKnownAddress = async (db: Db, subject: Buffer, now: Date): Promise<boolean> => {
  const { rows } = await sql`select 1 from known_address where subject = ${subject} and known_until > ${now}`.execute(db)
  return rows.length > 0
}

/** Stores an address from which a user signed in, or extends its time, once a day at most. */
export const rememberAddress = async (db: Db, { subject, userId, knownUntil }: KnownAddress): Promise<void> => {
  await sql`
    insert into known_address as k (subject, user_id, known_until) values (${subject}, ${userId}::uuid, ${knownUntil})
    on conflict (subject) do update set known_until = excluded.known_until where k.known_until < excluded.known_until - interval '1 day'`.execute(
    db,
  )
}

/** Deletes the known addresses whose time is over. */
export const sweepKnownAddresses = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from known_address where known_until < ${now}`.execute(db)
}
