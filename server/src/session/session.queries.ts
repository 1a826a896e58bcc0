import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { sweepKnownAddresses } from './known-addresses.queries.ts'

/** A user, with the claims of an access token. */
export interface SignInUser {
  readonly id: string
  readonly passwordHash: string | null
  readonly isDisabled: boolean
  readonly displayName: string
  readonly brandId: number
  readonly resellerId: number
  readonly resellerName: string
}

/** The query of users with the name of their reseller, disabled ones included, without a condition yet. */
const userQuery = (db: Db) =>
  db
    .selectFrom('app_user')
    .innerJoin('reseller', 'reseller.id', 'app_user.reseller_id')
    .select([
      'app_user.id',
      'app_user.password_hash as passwordHash',
      sql<boolean>`app_user.disabled_at is not null`.as('isDisabled'),
      'app_user.display_name as displayName',
      'app_user.brand_id as brandId',
      'app_user.reseller_id as resellerId',
      'reseller.name as resellerName',
    ])

/** The user with this username, ignoring case, disabled or not. */
export const userByName = (db: Db, username: string): Promise<SignInUser | undefined> =>
  whereUsername(userQuery(db), username).executeTakeFirst()

/** Adds the condition that the username is this one, ignoring case. */
const whereUsername = (query: ReturnType<typeof userQuery>, username: string): ReturnType<typeof userQuery> =>
  query.where(sql`lower(app_user.username)`, '=', sql<string>`lower(${username})`)

/** The user with this id, disabled or not. */
export const userById = (db: Db, id: string): Promise<SignInUser | undefined> =>
  userQuery(db).where('app_user.id', '=', id).executeTakeFirst()

export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly cookieHash: Buffer | null
  /** The name of the support employee who uses the session; null in a session of the user's own. */
  readonly supporter: string | null
  readonly isAlive: boolean
}

/** The properties of a support session. */
export interface SupportSession {
  readonly supporter: string
  /** The only customer to act for; null: every customer of the user. */
  readonly onlyCustomerId: number | null
}

/** Stores a new session and its first refresh token. */
export const insertSession = async (
  db: Db,
  session: {
    id: string
    userId: string
    clientId: string
    cookieHash: Buffer | null
    idleUntil: Date
    absoluteUntil: Date
    tokenHash: Buffer
    support?: SupportSession | null
  },
  now: Date,
): Promise<void> => {
  const { supporter = null, onlyCustomerId = null } = session.support ?? {}
  await sql`
    insert into session (id, user_id, client_id, cookie_hash, created_at, idle_until, absolute_until, kind, supporter, only_customer_id)
    values (${session.id}, ${session.userId}, ${session.clientId}, ${session.cookieHash}, ${now}, ${session.idleUntil}, ${session.absoluteUntil},
      ${supporter === null ? 'customer' : 'support'}, ${supporter}, ${onlyCustomerId})`.execute(db)
  await sql`
    insert into refresh_token (token_hash, session_id, counter, issued_at)
    values (${session.tokenHash}, ${session.id}, 1, ${now})`.execute(db)
}

/**
 * The session of a refresh token, locked (ended or not), with the token's number and whether its successor exists and was used.
 * Undefined for an unknown token.
 */
export const lockSessionOfToken = async (
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<{ session: SessionRow; counter: number; successorUsedAt: Date | null; hasSuccessor: boolean } | undefined> => {
  const issued = await db.selectFrom('refresh_token').select('session_id').where('token_hash', '=', tokenHash).executeTakeFirst()
  if (issued === undefined) return undefined
  const session = await db
    .selectFrom('session')
    .select([
      'id',
      'user_id as userId',
      'client_id as clientId',
      'cookie_hash as cookieHash',
      'supporter',
      sql<boolean>`ended_at is null and idle_until > ${now} and absolute_until > ${now}`.as('isAlive'),
    ])
    .where('id', '=', issued.session_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const token = await db
    .selectFrom('refresh_token as t')
    .leftJoin('refresh_token as next', (join) =>
      join.onRef('next.session_id', '=', 't.session_id').on('next.counter', '=', sql<number>`t.counter + 1`),
    )
    .select(['t.counter', 'next.used_at as successorUsedAt', sql<boolean>`next.counter is not null`.as('hasSuccessor')])
    .where('t.token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow()
  return { session, ...token }
}

/** Marks a refresh token as used and stores its successor, unless that was done before; extends the session in either case. */
export const rotateRefreshToken = async (
  db: Db,
  rotation: { sessionId: string; usedHash: Buffer; nextHash: Buffer; nextCounter: number; idleUntil: Date },
  now: Date,
): Promise<void> => {
  await sql`update refresh_token set used_at = ${now} where token_hash = ${rotation.usedHash} and used_at is null`.execute(db)
  await sql`
    insert into refresh_token (token_hash, session_id, counter, issued_at) values (${rotation.nextHash}, ${rotation.sessionId}, ${rotation.nextCounter}, ${now})
    on conflict do nothing`.execute(db)
  await sql`update session set idle_until = ${rotation.idleUntil} where id = ${rotation.sessionId}`.execute(db)
}

export type EndedBy = 'logout' | 'password' | 'reuse' | 'disabled'

/** Ends a session, unless it has ended before. Nothing is deleted. */
export const endSession = async (db: Db, id: string, by: EndedBy, now: Date): Promise<void> => {
  await db.updateTable('session').set({ ended_at: now, ended_by: by }).where('id', '=', id).where('ended_at', 'is', null).execute()
}

/** Ends every session of a user except `keepId`; returns the ids of those that ended. */
export const endOtherSessions = async (db: Db, userId: string, keepId: string | null, by: EndedBy, now: Date): Promise<string[]> => {
  const ended = await db
    .updateTable('session')
    .set({ ended_at: now, ended_by: by })
    .where('user_id', '=', userId)
    .$if(keepId !== null, (query) => query.where('id', '!=', keepId))
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** Replaces a user's password hash. Ends no session. */
export const storePasswordHash = async (db: Db, userId: string, hash: string, now: Date): Promise<void> => {
  await db.updateTable('app_user').set({ password_hash: hash, password_changed_at: now }).where('id', '=', userId).execute()
}

/** Deletes sessions a month after the last moment that they could have lasted, full buckets of rate limits, and expired known addresses. */
export const sweepSessions = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from session where absolute_until < ${now}::timestamptz - interval '30 days'`.execute(db)
  await sql`delete from rate_limit where full_at < ${now}`.execute(db)
  await sweepKnownAddresses(db, now)
}
