import type { Db } from '../../kit/db.ts'
import { queueUserMail } from '../../mail/mail.queries.ts'
import { endLinks } from '../../session/one-time-links.queries.ts'
import { endOtherSessions, storePasswordHash } from '../../session/session.queries.ts'

/**
 * Puts a new password's hash in place of the old one, with all that follows from it: links that would set another are void,
 * the user's sessions end but for the one kept, and the user is told by mail.
 * @returns the ids of the sessions that ended
 */
export const replacePassword = async (
  db: Db,
  { userId, hash, keptSessionId }: { userId: string; hash: string; keptSessionId: string | null },
  now: Date,
): Promise<string[]> => {
  await storePasswordHash(db, userId, hash, now)
  await endLinks(db, 'reset', userId, now)
  await queueUserMail(db, { kind: 'password-changed', userId, event: now.toISOString() }, now)
  return endOtherSessions(db, userId, keptSessionId, 'password', now)
}
