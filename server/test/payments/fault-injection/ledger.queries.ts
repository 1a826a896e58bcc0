import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import type { AttemptStatus } from '../../../src/payments/engine/attempt.ts'
import type { CustomerKey } from '../../../src/payments/payments-deps.ts'

/** Everything that was written of an attempt. */
export interface WrittenAttempt {
  readonly id: string
  readonly status: AttemptStatus
  readonly amount: number
  readonly nextCheckAt: Date | null
  /** What the book has of it in all, and of what was paid in. */
  readonly booked: number
  readonly paidIn: number
  /** The states that it has gone through, each as "from to". */
  readonly steps: readonly string[]
  readonly liveItems: number
  readonly succeededEvents: number
}

/** The attempts at these intents. Read as the reseller. */
export const writtenAttempts = async (db: Db, customerId: number, intentIds: readonly string[]): Promise<WrittenAttempt[]> => {
  const { rows } = await sql<WrittenAttempt>`
    select a.id, a.status, a.amount_minor as amount, a.next_check_at as "nextCheckAt",
      (select coalesce(sum(b.amount_minor), 0)::bigint from payment_allocation b where b.customer_id = a.customer_id and b.attempt_id = a.id) as booked,
      (select coalesce(sum(b.amount_minor) filter (where b.kind = 'pay'), 0)::bigint from payment_allocation b
        where b.customer_id = a.customer_id and b.attempt_id = a.id) as "paidIn",
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

/** How invoices stand. Read as the reseller. */
export const writtenInvoices = (db: Db, customerId: number, ids: readonly number[]) =>
  db
    .selectFrom('invoice')
    .select(['id', 'number', 'status', 'amount_due_minor as dueMinor', 'amount_minor as amountMinor'])
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .execute()

/** How many notices of this company are not done with. */
export const waitingNotices = async (db: Db): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from payment_notice where due_at is not null`.execute(db)).rows[0]?.n ?? 0

/** When the worker has something to do again; null when never. Read as the reseller. */
export const nextWorkAt = async (db: Db): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(next_check_at) from payment_attempt), (select min(due_at) from payment_notice)) as at`.execute(db)
  return rows[0]?.at ?? null
}

/** What somebody is going to pay: invoices of one amount, and an intent for some of them. */
export interface Begun {
  readonly payer: CustomerKey
  readonly invoiceNumbers: readonly string[]
  readonly minor: number
  /** Each an intent, by the places of its invoices. */
  readonly intents: readonly { readonly id: string; readonly invoices: readonly number[] }[]
  readonly now: Date
  readonly expiresAt: Date
}

/** Writes invoices and intents, and gives the invoices' ids. As the reseller. */
export const beginPayment = async (db: Db, { payer, invoiceNumbers, minor, intents, now, expiresAt }: Begun): Promise<number[]> => {
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
  const head = { customer_id, reseller_id, channel: 'bulk' as const, currency: 'AUD', created_at: now, expires_at: expiresAt }
  await db
    .insertInto('payment_intent')
    .values(intents.map(({ id }) => ({ ...head, id, session_id: id })))
    .execute()
  const items = intents.flatMap(({ id, invoices: places }) =>
    places.map((place, at) => ({ customer_id, intent_id: id, item_no: at + 1, invoice_id: invoices[place]?.id ?? 0, amount_minor: minor })),
  )
  await db.insertInto('payment_intent_item').values(items).execute()
  return invoices.map(({ id }) => id)
}

/** Takes away all that cases have written. As the schema's owner. */
export const forgetPayments = async (db: Db): Promise<void> => {
  await sql`truncate invoice, payment_intent, payment_attempt, payment_notice, payment_outbox, payment_drift cascade`.execute(db)
}
