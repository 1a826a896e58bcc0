import { sql } from 'kysely'
import { addMs } from '../../kit/clock.ts'
import type { Db } from '../../db/database.ts'
import { enqueueJob } from '../../queue/job.queries.ts'
import type { WebhookEvent } from '../providers/webhooks.ts'
import { mintScope } from '../../session/scope.ts'
import type { AttemptKey } from '../attempts/attempt.queries.ts'

export interface StoredWebhookEvent {
  readonly resellerId: number
  readonly provider: string
  readonly eventId: string
  /** The accounts whose secret signed it. */
  readonly accountIds: readonly number[]
  readonly subject: { readonly merchantReference?: string; readonly providerRef?: string }
}

export type WebhookEventKey = Omit<StoredWebhookEvent, 'subject' | 'accountIds'>

/** How long a webhook event may wait for its payment to appear; after that, reconciliation finds it. */
const MAX_RETRY_AGE_MS = 24 * 3_600_000

/** Stores a webhook event once, and queues the job that looks up its payment; one about no payment counts as processed. */
export const insertWebhookEvent = async (
  db: Db,
  { resellerId, provider, accountIds }: { resellerId: number; provider: string; accountIds: readonly number[] },
  event: WebhookEvent,
  now: Date,
): Promise<void> => {
  const { eventId, kind, about, merchantReference, providerRef } = event
  const subject = {
    ...(merchantReference === undefined ? {} : { merchantReference }),
    ...(providerRef === undefined ? {} : { providerRef }),
  }
  const { rows } = await sql`
    insert into payment_webhook_event (reseller_id, provider, event_id, kind, subject, account_ids, received_at, processed_at)
    values (${resellerId}, ${provider}, ${eventId}, ${kind}, ${JSON.stringify(subject)}, ${accountIds}::bigint[], ${now}, ${about === 'payment' ? null : now})
    on conflict (reseller_id, provider, event_id) do nothing returning 1`.execute(db)
  if (rows.length === 0 || about !== 'payment') return
  const payload = { resellerId, provider, eventId }
  await enqueueJob(db, { kind: 'webhook-event', payload, giveUpAt: addMs(now, MAX_RETRY_AGE_MS) }, now)
}

/** A stored webhook event that is not processed yet; undefined without one, and once it is processed. */
export const findWebhookEvent = async (
  db: Db,
  { resellerId, provider, eventId }: WebhookEventKey,
): Promise<StoredWebhookEvent | undefined> =>
  db
    .selectFrom('payment_webhook_event')
    .select(['reseller_id as resellerId', 'provider', 'event_id as eventId', 'account_ids as accountIds', 'subject'])
    .where('reseller_id', '=', resellerId)
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .executeTakeFirst()

/** Marks a webhook event as processed or given up; its payment is not touched. */
export const markProcessed = async (db: Db, { resellerId, provider, eventId }: WebhookEventKey, now: Date): Promise<void> => {
  await sql`
    update payment_webhook_event set processed_at = ${now}
    where reseller_id = ${resellerId} and provider = ${provider} and event_id = ${eventId}`.execute(db)
}

/**
 * The scope of the attempt at one of these accounts that an event is about, by the provider's reference or ours; undefined without one.
 * Runs as counterfoil_reseller.
 */
export const findAttemptOfEvent = async (
  db: Db,
  { accountIds, subject }: Pick<StoredWebhookEvent, 'accountIds' | 'subject'>,
): Promise<AttemptKey | undefined> => {
  const row = await db
    .selectFrom('payment_attempt')
    .select(['customer_id as customerId', 'reseller_id as resellerId', 'id'])
    .where(sql<boolean>`account_id = any(${accountIds}::bigint[])`)
    .where((where) =>
      where.or([
        where('provider_ref', '=', subject.providerRef ?? ''),
        ...(subject.merchantReference === undefined ? [] : [where('merchant_reference', '=', subject.merchantReference)]),
      ]),
    )
    .executeTakeFirst()
  return row === undefined ? undefined : mintScope(row)
}

/**
 * Stores the provider's reference of an attempt that has none, where the event names ours too: the answer that tells it may be on its way,
 * or lost.
 */
export const saveReferenceOfEvent = async (db: Db, { owns, id }: AttemptKey, { subject }: StoredWebhookEvent): Promise<void> => {
  const { merchantReference, providerRef } = subject
  if (providerRef === undefined || merchantReference === undefined) return
  await db
    .updateTable('payment_attempt')
    .set({ provider_ref: providerRef, version: sql`version + 1` })
    .where(owns('payment_attempt'))
    .where('id', '=', id)
    .where('merchant_reference', '=', merchantReference)
    .where('provider_ref', 'is', null)
    .execute()
}

/** Deletes events that were received a month ago; their processing was given up after a day. */
export const deleteOldWebhookEvents = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from payment_webhook_event where received_at < ${now}::timestamptz - interval '30 days'`.execute(db)
}

export const resellerExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('reseller').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
