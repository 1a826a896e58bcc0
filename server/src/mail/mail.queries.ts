import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { addMs } from '../kit/clock.ts'
import type { Db } from '../db/database.ts'
import { enqueueJob } from '../queue/job.queries.ts'
import type { ReceiptFacts } from './receipt-facts.ts'
import type { ReviewFacts } from './review-facts.ts'

export type MailKind = 'reset' | 'password-changed' | 'invitation' | 'registered' | 'receipt' | 'needs-review'

const HOUR = 3_600_000
/** How long a mail is retried while the mail server does not answer. */
export const MAIL_TTL_MS: Readonly<Record<MailKind, number>> = {
  reset: 24 * HOUR,
  'password-changed': 72 * HOUR,
  invitation: 7 * 24 * HOUR,
  registered: 72 * HOUR,
  receipt: 72 * HOUR,
  'needs-review': 7 * 24 * HOUR,
}

/** A mail with what its template needs of the user, the brand and the reseller. */
export interface Mail {
  readonly id: string
  readonly kind: MailKind
  readonly recipient: string
  readonly queuedAt: Date
  /** Empty, like the next two, for what goes to an address and not to a user. */
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
  /** The content of a receipt, or of a mail about a payment that needs a person; null for every other kind. */
  readonly facts: ReceiptFacts | ReviewFacts | null
}

/** Queues a mail to a user once per event. Does nothing for a user without an email address. */
export const queueUserMail = async (
  db: Db,
  { kind, userId, event }: { kind: MailKind; userId: string; event: string },
  now: Date,
): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    insert into mail (id, dedupe_key, kind, recipient, brand_id, user_id, queued_at)
    select ${randomUUID()}, ${`${kind} ${userId} ${event}`}, ${kind}, email, brand_id, id, ${now} from app_user where id = ${userId} and email is not null
    on conflict (dedupe_key) do nothing returning id`.execute(db)
  for (const { id } of rows) await enqueueMail(db, id, kind, now)
}

/** Queues the job that sends a stored mail, in the caller's transaction. */
export const enqueueMail = (db: Db, id: string, kind: MailKind, now: Date): Promise<void> =>
  enqueueJob(db, { kind: 'mail', id, giveUpAt: addMs(now, MAIL_TTL_MS[kind]) }, now)

/** Deletes the jobs of the unsent mails of a kind to a user, because a newer one replaces them. The mails' rows stay. */
export const cancelUserMail = async (db: Db, kind: MailKind, userId: string): Promise<void> => {
  await sql`
    delete from job where kind = 'mail' and finished_at is null
      and id in (select id from mail where kind = ${kind} and user_id = ${userId} and sent_at is null)`.execute(db)
}

/** A mail with what its template needs; undefined when it was sent, or was deleted with its user. */
export const findUnsentMail = async (db: Db, id: string): Promise<Mail | undefined> => {
  const { rows } = await sql<Mail>`
    select m.id, m.kind, m.recipient, m.queued_at as "queuedAt", coalesce(u.id::text, '') as "userId", coalesce(u.username, '') as username,
      coalesce(u.display_name, '') as "displayName", m.facts, b.name as "brandName", b.domain, b.colour2, b.colour3,
      r.legal_name as "legalName", r.email as "contactEmail", r.phone as "contactPhone"
    from mail m left join app_user u on u.id = m.user_id join brand b on b.id = m.brand_id
      join reseller r on r.id = coalesce(u.reseller_id, b.reseller_id)
    where m.id = ${id} and m.sent_at is null`.execute(db)
  return rows[0]
}

/** Notes when a mail was handed to the mail server. */
export const markSent = async (db: Db, id: string, now: Date): Promise<void> => {
  await sql`update mail set sent_at = ${now} where id = ${id}`.execute(db)
}

/** Deletes mails a week after they were queued, except those still to be sent. */
export const sweepMail = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from mail m where queued_at < ${now}::timestamptz - interval '7 days'
      and not exists (select from job j where j.id = m.id and j.finished_at is null)`.execute(db)
}
