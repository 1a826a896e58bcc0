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
 * Replaces a password: ends the reset links and all sessions but the kept one, and queues the mail and the audit entry.
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
