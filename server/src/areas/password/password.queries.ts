import { sql } from 'kysely'
import { writeAudit } from '../../audit/audit.ts'
import type { Db } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { queueUserMail } from '../../mail/mail.queries.ts'
import { endLinks } from '../../session/one-time-links.queries.ts'
import { endOtherSessions, storePasswordHash, userById } from '../../session/session.queries.ts'

/** The replacement of a password. */
export interface PasswordReplacement {
  readonly userId: string
  readonly hash: string
  /** The session to keep; null ends every session. */
  readonly keepSessionId: string | null
  readonly action: 'password.changed' | 'password.reset'
  /** The network address of the request. */
  readonly source: string
}

/**
 * Stores a new password's hash, ends the reset links and all sessions but the kept one, and queues the mail and the audit entry. Checks no
 * password.
 * @returns the ids of the sessions that ended
 */
export const replacePassword = async (
  db: Db,
  keys: Keys,
  { userId, hash, keepSessionId, action, source }: PasswordReplacement,
  now: Date,
): Promise<string[]> => {
  const user = await userById(db, userId)
  if (user === undefined) throw new Error('the user whose password is replaced is gone')
  await storePasswordHash(db, userId, hash, now)
  await endLinks(db, 'reset', userId, now)
  await queueUserMail(db, { kind: 'password-changed', userId, event: now.toISOString() }, now)
  const endedSessionIds = await endOtherSessions(db, userId, keepSessionId, 'password', now)
  await writeAudit(db, keys, now, {
    resellerId: user.resellerId,
    action,
    actor: { kind: 'user', id: userId, name: user.displayName },
    subject: `user ${userId}`,
    source,
    before: user.passwordHash,
    after: hash,
  })
  return endedSessionIds
}

/** Whose password a mailed link sets. */
export interface LinkOwner {
  readonly username: string
  readonly resellerName: string
  readonly brandId: number
}

/** The username, reseller and brand that a mailed link's page shows; undefined without such a user. Runs as counterfoil_system. */
export const linkOwnerRow = async (db: Db, userId: string): Promise<LinkOwner | undefined> => {
  const { rows } = await sql<LinkOwner>`
    select u.username, coalesce(nullif(r.legal_name, ''), r.name) as "resellerName", u.brand_id as "brandId"
    from app_user u join reseller r on r.id = u.reseller_id where u.id = ${userId}`.execute(db)
  return rows[0]
}
