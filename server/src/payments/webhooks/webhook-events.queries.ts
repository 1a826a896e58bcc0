import { sql } from 'kysely'
import { addMs } from '../../kit/clock.ts'
import type { Db } from '../../db/database.ts'
import type { WebhookEvent } from '../providers/provider.ts'
import { mintPayerScope } from '../../session/scope.ts'
import type { AttemptKey } from '../engine/settle.queries.ts'

/** Longer than a look-up may take. */
const LEASE_MS = 120_000

export interface StoredWebhookEvent {
  readonly resellerId: number
  readonly provider: string
  readonly eventId: string
  readonly subject: { readonly attemptId?: string; readonly providerRef?: string }
  readonly receivedAt: Date
  readonly tries: number
}

/** Inserts a webhook event once; one about no payment counts as processed. */
export const insertWebhookEvent = async (
  db: Db,
  account: { resellerId: number; provider: string },
  event: WebhookEvent,
  now: Date,
): Promise<void> => {
  const { eventId, kind, about, attemptId, providerRef } = event
  const subject = { ...(attemptId === undefined ? {} : { attemptId }), ...(providerRef === undefined ? {} : { providerRef }) }
  const dueAt = about === 'payment' ? now : null
  await sql`
    insert into payment_webhook_event (reseller_id, provider, event_id, kind, subject, received_at, due_at, processed_at)
    values (${account.resellerId}, ${account.provider}, ${eventId}, ${kind}, ${JSON.stringify(subject)}, ${now}, ${dueAt}, ${about === 'payment' ? null : now})
    on conflict (reseller_id, provider, event_id) do nothing`.execute(db)
}

/** Leases the webhook event that is most overdue. */
export const leaseDueWebhookEvent = async (db: Db, now: Date): Promise<StoredWebhookEvent | undefined> => {
  const { rows } = await sql<StoredWebhookEvent>`
    with due as (select reseller_id, provider, event_id from payment_webhook_event where due_at <= ${now} order by due_at limit 1 for update skip locked)
    update payment_webhook_event e set due_at = ${addMs(now, LEASE_MS)}, tries = tries + 1 from due
    where e.reseller_id = due.reseller_id and e.provider = due.provider and e.event_id = due.event_id
    returning e.reseller_id as "resellerId", e.provider, e.event_id as "eventId", e.subject, e.received_at as "receivedAt", e.tries`.execute(
    db,
  )
  return rows[0]
}

/** Marks a webhook event as processed, or as due again. */
export const updateWebhookEvent = async (
  db: Db,
  { resellerId, provider, eventId }: StoredWebhookEvent,
  { dueAt, error, now }: { dueAt: Date | null; error: string | null; now: Date },
): Promise<void> => {
  await sql`
    update payment_webhook_event set due_at = ${dueAt}, last_error = ${error}, processed_at = ${dueAt === null ? now : null}
    where reseller_id = ${resellerId} and provider = ${provider} and event_id = ${eventId}`.execute(db)
}

/** The attempt that a webhook event is about. Runs as the reseller. */
export const findAttemptOfEvent = async (
  db: Db,
  { resellerId, provider, subject }: StoredWebhookEvent,
): Promise<AttemptKey | undefined> => {
  const row = await db
    .selectFrom('payment_attempt')
    .select(['customer_id as customerId', 'reseller_id as resellerId', 'id'])
    .where('reseller_id', '=', resellerId)
    .where('provider', '=', provider)
    .where((where) =>
      where.or([
        where('provider_ref', '=', subject.providerRef ?? ''),
        ...(subject.attemptId === undefined ? [] : [where('id', '=', subject.attemptId)]),
      ]),
    )
    .executeTakeFirst()
  return row === undefined ? undefined : mintPayerScope(row)
}

/** Deletes events that were processed a month ago. */
export const deleteOldWebhookEvents = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from payment_webhook_event where due_at is null and received_at < ${now}::timestamptz - interval '30 days'`.execute(db)
}

export const resellerExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('reseller').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
