import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { LinkKind, LinkToken } from './one-time-links.ts'
import type { SupportSession } from './session.queries.ts'

/** Wrong secrets for one link's id after which the link is void. */
const MAX_FAILURES = 5

export interface NewLink extends LinkToken {
  readonly kind: LinkKind
  readonly userId: string
  readonly expiresAt: Date
  /** Only for support links: the session to open. */
  readonly support?: SupportSession
}

/** Stores a link with the hash of its secret. A link that is stored again, as its mail is sent again, gets a new expiry. */
export const storeLink = async (db: Db, { id, kind, userId, secretHash, expiresAt, support }: NewLink, now: Date): Promise<void> => {
  await sql`
    insert into one_time_link (id, kind, user_id, secret_hash, created_at, expires_at, supporter, only_customer_id)
    values (${id}, ${kind}, ${userId}, ${secretHash}, ${now}, ${expiresAt}, ${support?.supporter ?? null}, ${support?.onlyCustomerId ?? null})
    on conflict (id) do update set expires_at = excluded.expires_at`.execute(db)
}

/** The user of a link, and their brand. */
export interface LinkUser {
  readonly id: string
  readonly brandId: number
  /** The name of the support employee who created the link; null for the user's own links. */
  readonly supporter: string | null
  readonly onlyCustomerId: number | null
}

/**
 * The user of a valid link, which stays unused; undefined for one that is unknown, used, expired, void or of a disabled user.
 * A wrong secret counts as a failure of the link.
 */
export const verifyLink = async (db: Db, kind: LinkKind, token: LinkToken, now: Date): Promise<LinkUser | undefined> => {
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
 * Marks a link as used, and makes the user's other links of the kind void, except support links, which two people may have created.
 * @returns false when the link was used, had expired or was void before
 */
export const markLinkUsed = async (db: Db, kind: LinkKind, { id, userId }: { id: string; userId: string }, now: Date): Promise<boolean> => {
  // Locks the user: two links used at once would each wait for the other's row.
  await sql`select from app_user where id = ${userId} for update`.execute(db)
  const { rows } = await sql`
    update one_time_link set used_at = ${now}
    where id = ${id} and kind = ${kind} and used_at is null and expires_at > ${now} and failed_tries < ${MAX_FAILURES} returning 1`.execute(
    db,
  )
  if (rows.length > 0 && kind !== 'support') await endLinks(db, kind, userId, now)
  return rows.length > 0
}

/** Makes every unused link of one kind of the user void. */
export const endLinks = async (db: Db, kind: LinkKind, userId: string, now: Date): Promise<void> => {
  await sql`update one_time_link set used_at = ${now} where user_id = ${userId} and kind = ${kind} and used_at is null`.execute(db)
}

/** Deletes links a week after they expired. */
export const sweepLinks = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from one_time_link where expires_at < ${now}::timestamptz - interval '7 days'`.execute(db)
}
