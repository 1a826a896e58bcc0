import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { addMs } from '../kit/clock.ts'
import type { Db } from '../db/database.ts'
import type { ReceiptFacts } from './receipt-facts.ts'

export type MailKind = 'reset' | 'password-changed' | 'invitation' | 'registered' | 'receipt'

const HOUR = 3_600_000
/** How long a mail is retried while the mail server does not answer. */
export const MAIL_TTL_MS: Readonly<Record<MailKind, number>> = {
  reset: 24 * HOUR,
  'password-changed': 72 * HOUR,
  invitation: 7 * 24 * HOUR,
  registered: 72 * HOUR,
  receipt: 72 * HOUR,
}

/** How long a claimed mail belongs to its worker; longer than sending one takes. */
const LEASE_MS = 5 * 60_000

/** A mail with what its template needs of the user, the brand and the reseller. */
export interface Mail {
  readonly id: string
  readonly kind: MailKind
  readonly recipient: string
  readonly tries: number
  readonly queuedAt: Date
  readonly expiresAt: Date
  /** Empty, like the next two, for a receipt, which goes to an address and not to a user. */
  readonly userId: string
  readonly username: string
  readonly displayName: string
  readonly brandName: string
  readonly domain: string | null
  readonly colour2: string
  readonly colour3: string
  readonly legalName: string
  readonly contactEmail: string | null
  readonly contactPhone: string | null
  /** The content of a receipt; null for every other kind. */
  readonly facts: ReceiptFacts | null
}

/** Queues a mail to a user once per event. Does nothing for a user without an email address. */
export const queueUserMail = async (
  db: Db,
  { kind, userId, event }: { kind: MailKind; userId: string; event: string },
  now: Date,
): Promise<void> => {
  await sql`
    insert into mail (id, dedupe_key, kind, recipient, brand_id, user_id, queued_at, due_at, worth_until)
    select ${randomUUID()}, ${`${kind} ${userId} ${event}`}, ${kind}, email, brand_id, id, ${now}, ${now}, ${addMs(now, MAIL_TTL_MS[kind])}
    from app_user where id = ${userId} and email is not null
    on conflict (dedupe_key) do nothing`.execute(db)
}

/** Cancels the unsent mails of a kind to a user, because a newer one replaces them. */
export const cancelUserMail = async (db: Db, kind: MailKind, userId: string): Promise<void> => {
  await sql`update mail set due_at = null where kind = ${kind} and user_id = ${userId} and sent_at is null`.execute(db)
}

/** Claims the mail that has been due longest, for the time of a lease. Undefined when none is due. */
export const claimDueMail = async (db: Db, now: Date): Promise<Mail | undefined> => {
  const { rows } = await sql<Mail>`
    with due as (select id from mail where due_at <= ${now} order by due_at limit 1 for update skip locked),
    taken as (update mail m set due_at = ${addMs(now, LEASE_MS)}, tries = m.tries + 1 from due where m.id = due.id returning m.*)
    select t.id, t.kind, t.recipient, t.tries, t.queued_at as "queuedAt", t.worth_until as "expiresAt",
      coalesce(u.id::text, '') as "userId", coalesce(u.username, '') as username, coalesce(u.display_name, '') as "displayName", t.facts, b.name as "brandName", b.domain, b.colour2, b.colour3,
      r.legal_name as "legalName", r.email as "contactEmail", r.phone as "contactPhone"
    from taken t left join app_user u on u.id = t.user_id join brand b on b.id = t.brand_id
      join reseller r on r.id = coalesce(u.reseller_id, b.reseller_id)`.execute(db)
  return rows[0]
}

export const markSent = async (db: Db, { id, tries }: Mail, now: Date): Promise<void> => {
  await sql`update mail set sent_at = ${now}, due_at = null, last_error = null where id = ${id} and tries = ${tries}`.execute(db)
}

/** Stores why a mail was not accepted; `dueAt` is the time of the next try, null for none. */
export const markFailed = async (db: Db, { id, tries }: Mail, error: string, dueAt: Date | null): Promise<void> => {
  await sql`update mail set due_at = ${dueAt}, last_error = ${error} where id = ${id} and tries = ${tries}`.execute(db)
}

/** Deletes finished mails a week after they were queued. */
export const sweepMail = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from mail where due_at is null and queued_at < ${now}::timestamptz - interval '7 days'`.execute(db)
}
