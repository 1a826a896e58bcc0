import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { sql } from 'kysely'
import { addMs } from '../../../src/kit/clock.ts'
import type { Db } from '../../../src/db/database.ts'
import type { AttemptStatus } from '../../../src/payments/attempts/attempt.ts'
import { requestCancelOfChanged } from '../../../src/payments/engine/sweep.queries.ts'
import type { CustomerScope } from '../../../src/session/scope.ts'

const DAY = 86_400_000

/** An invoice, and whether a live attempt claims it. */
export interface InvoiceState {
  readonly id: number
  readonly status: number
  readonly dueMinor: number
  readonly isClaimed: boolean
}

/** Runs as counterfoil_reseller. */
export const readInvoiceStates = async (db: Db, customerId: number, ids: readonly number[]): Promise<InvoiceState[]> => {
  const { rows } = await sql<InvoiceState>`
    select v.id, v.status, v.amount_due_minor as "dueMinor", exists(select from payment_attempt_item i
      where i.customer_id = v.customer_id and i.invoice_id = v.id and i.live) as "isClaimed"
    from invoice v where v.customer_id = ${customerId} and v.id = any(${ids}::bigint[]) order by v.id`.execute(db)
  return rows
}

/** Inserts an intent for what is due of these invoices. Runs as counterfoil_reseller. */
export const insertIntent = async (
  db: Db,
  { customerId, resellerId }: CustomerScope,
  invoices: readonly InvoiceState[],
  now: Date,
): Promise<string> => {
  const id = randomUUID()
  await db
    .insertInto('payment_intent')
    .values({
      customer_id: customerId,
      id,
      reseller_id: resellerId,
      session_id: id,
      channel: 'bulk',
      currency: 'AUD',
      created_at: now,
      expires_at: addMs(now, DAY),
    })
    .execute()
  const items = invoices.map(({ id: invoice_id, dueMinor: amount_minor }, at) => ({
    customer_id: customerId,
    intent_id: id,
    item_no: at + 1,
    invoice_id,
    amount_minor,
  }))
  await db.insertInto('payment_intent_item').values(items).execute()
  return id
}

/** Credits an invoice or says that it was paid elsewhere, as an import does. Runs as counterfoil_reseller. */
export const importInvoice = async (db: Db, customerId: number, id: number, status: 'credited' | 'paid', now: Date): Promise<void> => {
  await db
    .updateTable('invoice')
    .set({ status: INVOICE_STATUS[status], amount_due_minor: 0 })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute()
  await requestCancelOfChanged(db, now)
}

/** A payment of some time ago. */
export interface SettledAttempt {
  readonly id: string
  readonly providerRef: string
  readonly amountMinor: number
  readonly status: AttemptStatus
}

/** Inserts many payments that were sent at one time, with their allocations. Runs as counterfoil_reseller. */
export const insertSettledAttempts = async (
  db: Db,
  { customerId: customer_id, resellerId: reseller_id }: CustomerScope,
  attempts: readonly SettledAttempt[],
  at: Date,
): Promise<void> => {
  const intent_id = randomUUID()
  await db
    .insertInto('payment_intent')
    .values({
      customer_id,
      id: intent_id,
      reseller_id,
      session_id: intent_id,
      channel: 'bulk',
      currency: 'AUD',
      created_at: at,
      expires_at: addMs(at, DAY),
    })
    .execute()
  const rows = attempts.map(({ id, providerRef, amountMinor, status }) => ({ id, ref: providerRef, amount: amountMinor, status }))
  await sql`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(id uuid, ref text, amount bigint, status text)),
    invoices as (insert into invoice (customer_id, number, currency, net_minor, amount_minor, amount_due_minor, issued_on, due_on, generated_at, status)
      select ${customer_id}, ref, 'AUD', amount, amount, case status when 'succeeded' then 0 else amount end, '2026-11-01', '2026-11-30', ${at},
        case status when 'succeeded' then ${INVOICE_STATUS.paid} else ${INVOICE_STATUS.open} end::smallint from given returning id, number),
    attempts as (insert into payment_attempt (customer_id, id, merchant_reference, reseller_id, intent_id, provider, account_id, is_debit, method_type, currency,
        amount_minor, status, provider_ref, created_at, sent_at)
      select ${customer_id}, given.id, given.id::text, ${reseller_id}, ${intent_id}, 'bpoint', account.id, false, 'card', 'AUD', amount, status, ref, ${at}, ${at}
      from given, payment_account account where account.reseller_id = ${reseller_id} and account.provider = 'bpoint'),
    items as (insert into payment_attempt_item (customer_id, attempt_id, item_no, invoice_id, amount_minor, live)
      select ${customer_id}, given.id, 1, invoices.id, amount, status = 'manual' from given join invoices on invoices.number = given.ref)
    insert into payment_allocation (customer_id, attempt_id, entry_no, kind, target, invoice_id, amount_minor, recorded_at)
    select ${customer_id}, given.id, 1, 'pay', 'invoice', invoices.id, amount, ${at} from given join invoices on invoices.number = given.ref
    where status = 'succeeded'`.execute(db)
}
