import { sql } from 'kysely'
import { writeAudit } from '../../audit/audit.ts'
import type { Db } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { queueUserMail } from '../../mail/mail.queries.ts'

/**
 * Stores the hash of a user's first password, and queues the mail and the audit entry.
 * @returns false, with nothing stored, for a user who has a password or is disabled
 */
export const storeFirstPassword = async (
  db: Db,
  keys: Keys,
  { userId, hash, source }: { userId: string; hash: string; source: string },
  now: Date,
): Promise<boolean> => {
  const { rows } = await sql<{ resellerId: number; displayName: string }>`
    update app_user set password_hash = ${hash}, password_changed_at = ${now}
    where id = ${userId} and password_hash is null and disabled_at is null
    returning reseller_id as "resellerId", display_name as "displayName"`.execute(db)
  const [user] = rows
  if (user === undefined) return false
  await queueUserMail(db, { kind: 'registered', userId, event: now.toISOString() }, now)
  await writeAudit(db, keys, now, {
    resellerId: user.resellerId,
    action: 'user.registered',
    actor: { kind: 'user', id: userId, name: user.displayName },
    subject: `user ${userId}`,
    source,
    after: hash,
  })
  return true
}
