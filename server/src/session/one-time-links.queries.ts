import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { LinkKind, LinkToken } from './one-time-links.ts'
import type { SupportSession } from './session.queries.ts'

/** So many wrong secrets for one link's id end the link (reliability.md §4.6). */
const MAX_FAILURES = 5

export interface NewLink extends LinkToken {
  readonly kind: LinkKind
  readonly userId: string
  readonly expiresAt: Date
  /** Of a link for support alone: what its session will be. */
  readonly support?: SupportSession
}

/** Stores a link; one that is stored already, because its mail is sent again, lives from now on. */
export const storeLink = async (db: Db, { id, kind, userId, secretHash, expiresAt, support }: NewLink, now: Date): Promise<void> => {
  await sql`
    insert into one_time_link (id, kind, user_id, secret_hash, created_at, expires_at, supporter, only_customer_id)
    values (${id}, ${kind}, ${userId}, ${secretHash}, ${now}, ${expiresAt}, ${support?.supporter ?? null}, ${support?.onlyCustomerId ?? null})
    on conflict (id) do update set expires_at = excluded.expires_at`.execute(db)
}

/** Whose link it is, and which brand's. */
export interface LinkUser {
  readonly id: string
  readonly brandId: number
  /** Who of support asked for the link; null for the user's own links. */
  readonly supporter: string | null
  readonly onlyCustomerId: number | null
}

/** The user whose link this is, while it may be used; undefined for any other. A wrong secret counts against the link. */
export const userOfLink = async (db: Db, kind: LinkKind, token: LinkToken, now: Date): Promise<LinkUser | undefined> => {
  const { rows } = await sql<LinkUser & { secretHash: Buffer }>`
    select u.id, u.brand_id as "brandId", l.supporter, l.only_customer_id as "onlyCustomerId", l.secret_hash as "secretHash" from one_time_link l join app_user u on u.id = l.user_id
    where l.id = ${token.id} and l.kind = ${kind} and l.used_at is null and l.expires_at > ${now} and l.failed_tries < ${MAX_FAILURES}
      and u.disabled_at is null`.execute(db)
  const [link] = rows
  if (link === undefined) return undefined
  const { secretHash, ...user } = link
  if (timingSafeEqual(secretHash, token.secretHash)) return user
  await sql`update one_time_link set failed_tries = failed_tries + 1 where id = ${token.id}`.execute(db)
  return undefined
}

/**
 * Uses a link, and with it every other link of the same kind and user: whoever comes second finds none. Links for support stand each
 * for itself: two people may have asked.
 * @returns whether this was the one use
 */
export const useLink = async (db: Db, kind: LinkKind, { id, userId }: { id: string; userId: string }, now: Date): Promise<boolean> => {
  // Links of one user are used one after the other: two at once would each wait for the other's.
  await sql`select from app_user where id = ${userId} for update`.execute(db)
  const { rows } = await sql`
    update one_time_link set used_at = ${now}
    where id = ${id} and kind = ${kind} and used_at is null and expires_at > ${now} and failed_tries < ${MAX_FAILURES} returning 1`.execute(
    db,
  )
  if (rows.length > 0 && kind !== 'support') await endLinks(db, kind, userId, now)
  return rows.length > 0
}

/** Ends every link of a kind that a user still has. */
export const endLinks = async (db: Db, kind: LinkKind, userId: string, now: Date): Promise<void> => {
  await sql`update one_time_link set used_at = ${now} where user_id = ${userId} and kind = ${kind} and used_at is null`.execute(db)
}

/** Removes links a week after their end. */
export const sweepLinks = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from one_time_link where expires_at < ${now}::timestamptz - interval '7 days'`.execute(db)
}
