import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import type { AttemptStatus } from '../../../src/payments/attempts/attempt.ts'
import type { CustomerScope } from '../../../src/session/scope.ts'

/** Everything stored about an attempt. */
export interface StoredAttempt {
  readonly id: string
  readonly status: AttemptStatus
  readonly amount: number
  readonly nextCheckAt: Date | null
  /** The ledger sum, and the sum of payments alone. */
  readonly allocatedMinor: number
  readonly paidMinor: number
  /** The transitions, each as "from to". */
  readonly steps: readonly string[]
  readonly liveItems: number
  readonly succeededEvents: number
}

/** The attempts of these intents. Runs as counterfoil_reseller. */
export const readAttempts = async (db: Db, customerId: number, intentIds: readonly string[]): Promise<StoredAttempt[]> => {
  const { rows } = await sql<StoredAttempt>`
    select a.id, a.status, a.amount_minor as amount, a.next_check_at as "nextCheckAt",
      (select coalesce(sum(b.amount_minor), 0)::bigint from payment_allocation b where b.customer_id = a.customer_id and b.attempt_id = a.id) as "allocatedMinor",
      (select coalesce(sum(b.amount_minor) filter (where b.kind = 'pay'), 0)::bigint from payment_allocation b
        where b.customer_id = a.customer_id and b.attempt_id = a.id) as "paidMinor",
      (select coalesce(array_agg(coalesce(e.from_status, '') || ' ' || e.to_status order by e.entry_no), '{}') from payment_attempt_event e
        where e.customer_id = a.customer_id and e.attempt_id = a.id) as steps,
      (select count(*) from payment_attempt_item i where i.customer_id = a.customer_id and i.attempt_id = a.id and i.live) as "liveItems",
      (select count(*) from payment_outbox o where o.customer_id = a.customer_id and o.kind = 'payment.succeeded'
        and o.payload->>'attemptId' = a.id::text) as "succeededEvents"
    from payment_attempt a where a.customer_id = ${customerId} and a.intent_id = any(${intentIds}::uuid[]) order by a.created_at`.execute(
    db,
  )
  return rows
}

/** Runs as counterfoil_reseller. */
export const readInvoices = (db: Db, customerId: number, ids: readonly number[]) =>
  db
    .selectFrom('invoice')
    .select(['id', 'number', 'status', 'amount_due_minor as dueMinor', 'amount_minor as amountMinor'])
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .execute()

/** How many webhook events are unprocessed. */
export const countPendingWebhookEvents = async (db: Db): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from payment_webhook_event where processed_at is null`.execute(db)).rows[0]?.n ?? 0

/** When the worker next has something to do; null when never. Runs as counterfoil_system. */
export const findNextWorkAt = async (db: Db): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(next_check_at) from payment_attempt), (select min(run_at) from job where kind = 'webhook-event' and finished_at is null)) as at`.execute(
    db,
  )
  return rows[0]?.at ?? null
}

/** Invoices of one amount, and intents for some of them. */
export interface PaymentSetup {
  readonly payer: CustomerScope
  readonly invoiceNumbers: readonly string[]
  readonly minor: number
  /** How it is paid; in bulk when absent. */
  readonly channel?: 'bulk' | 'autopay'
  /** Each intent with the indexes of its invoices. */
  readonly intents: readonly { readonly id: string; readonly invoices: readonly number[] }[]
  readonly now: Date
  readonly expiresAt: Date
}

/**
 * Inserts invoices and intents. Runs as counterfoil_reseller.
 * @returns the invoices' ids
 */
export const insertPaymentSetup = async (
  db: Db,
  { payer, invoiceNumbers, minor, channel = 'bulk', intents, now, expiresAt }: PaymentSetup,
): Promise<number[]> => {
  const { customerId: customer_id, resellerId: reseller_id } = payer
  const invoices = await db
    .insertInto('invoice')
    .values(
      invoiceNumbers.map((number) => ({
        customer_id,
        number,
        currency: 'AUD',
        net_minor: minor,
        amount_minor: minor,
        amount_due_minor: minor,
        issued_on: '2026-11-01',
        due_on: '2026-11-30',
        generated_at: now,
      })),
    )
    .returning('id')
    .execute()
  const head = { customer_id, reseller_id, channel, currency: 'AUD', created_at: now, expires_at: expiresAt }
  await db
    .insertInto('payment_intent')
    .values(intents.map(({ id }) => ({ ...head, id, session_id: id })))
    .execute()
  const items = intents.flatMap(({ id, invoices: indexes }) =>
    indexes.map((index, at) => ({
      customer_id,
      intent_id: id,
      item_no: at + 1,
      invoice_id: invoices[index]?.id ?? 0,
      amount_minor: minor,
    })),
  )
  await db.insertInto('payment_intent_item').values(items).execute()
  return invoices.map(({ id }) => id)
}

/** Deletes everything that cases have written. Runs as the owner. */
export const truncatePayments = async (db: Db): Promise<void> => {
  await sql`truncate invoice, payment_intent, payment_attempt, payment_webhook_event, payment_outbox, payment_discrepancy, job cascade`.execute(
    db,
  )
}
