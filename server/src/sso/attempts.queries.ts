import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A sign-on in progress: from the redirect to the provider until the browser returns. */
export interface SignOnAttempt {
  readonly organizationId: number
  readonly origin: string
  readonly target: string | null
  /** The user that a SAML response named. */
  readonly userId: string | null
}

/** Stores a sign-on that begins, by the hash of its state. */
export const insertAttempt = async (
  db: Db,
  attempt: {
    stateHash: Buffer
    browserHash: Buffer
    organization: { id: number; resellerId: number }
    origin: string
    target: string | undefined
    expiresAt: Date
  },
): Promise<void> => {
  const { stateHash, browserHash, organization, origin, target, expiresAt } = attempt
  await sql`
    insert into sso_attempt (state_hash, reseller_id, organization_id, browser_hash, origin, target, expires_at)
    values (${stateHash}, ${organization.resellerId}, ${organization.id}, ${browserHash}, ${origin}, ${target ?? null}, ${expiresAt})`.execute(
    db,
  )
}

const ATTEMPT_COLUMNS = sql`organization_id as "organizationId", origin, target, user_id as "userId"`

/** Deletes and returns the attempt that this browser began; undefined when it is unknown, expired, of another browser or ended before. */
export const consumeAttempt = async (db: Db, stateHash: Buffer, browserHash: Buffer, now: Date): Promise<SignOnAttempt | undefined> => {
  const { rows } = await sql<SignOnAttempt>`
    delete from sso_attempt where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > ${now}
    returning ${ATTEMPT_COLUMNS}`.execute(db)
  return rows[0]
}

/** Finds the attempt of a posted SAML response, unless a response was posted before. Browsers send no cookie with a cross-site post. */
export const findPendingAttempt = async (db: Db, stateHash: Buffer, now: Date): Promise<SignOnAttempt | undefined> => {
  const { rows } = await sql<SignOnAttempt>`
    select ${ATTEMPT_COLUMNS} from sso_attempt where state_hash = ${stateHash} and user_id is null and expires_at > ${now}`.execute(db)
  return rows[0]
}

/** Stores the user that a SAML response named. @returns false for a second response to the same attempt */
export const setAttemptUser = async (db: Db, stateHash: Buffer, userId: string, now: Date): Promise<boolean> => {
  const { rows } = await sql`
    update sso_attempt set user_id = ${userId} where state_hash = ${stateHash} and user_id is null and expires_at > ${now}
    returning 1`.execute(db)
  return rows.length > 0
}

/** Deletes a sign-on that failed, by the hash of its state. */
export const deleteAttempt = async (db: Db, stateHash: Buffer): Promise<void> => {
  await sql`delete from sso_attempt where state_hash = ${stateHash}`.execute(db)
}

/** Stores the one-time code for which the browser gets a session after single sign-on. Only the code's hash is stored. */
export const insertCode = async (
  db: Db,
  {
    codeHash,
    browserHash,
    userId,
    redirectUri,
    expiresAt,
  }: { codeHash: Buffer; browserHash: Buffer; userId: string; redirectUri: string; expiresAt: Date },
): Promise<void> => {
  await sql`
    insert into sign_on_code (code_hash, browser_hash, user_id, redirect_uri, expires_at)
    values (${codeHash}, ${browserHash}, ${userId}, ${redirectUri}, ${expiresAt})`.execute(db)
}

interface SignOnCode {
  readonly userId: string
  readonly redirectUri: string
  /** The hash of the cookie of the browser that began the sign-on; null in codes stored by an older version. */
  readonly browserHash: Buffer | null
}

/**
 * Marks a sign-on code as used. Of concurrent requests only one succeeds.
 * @returns undefined for a code that is unknown, used or expired
 */
export const consumeCode = async (db: Db, codeHash: Buffer, now: Date): Promise<SignOnCode | undefined> => {
  const { rows } = await sql<SignOnCode>`
    update sign_on_code set used_at = ${now} where code_hash = ${codeHash} and used_at is null and expires_at > ${now}
    returning browser_hash as "browserHash", user_id as "userId", redirect_uri as "redirectUri"`.execute(db)
  return rows[0]
}

/** Deletes the expired sign-on attempts, and the sign-on codes that expired more than a day ago. */
export const sweepSignOns = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from sso_attempt where expires_at < ${now}`.execute(db)
  await sql`delete from sign_on_code where expires_at < ${now}::timestamptz - interval '1 day'`.execute(db)
}
