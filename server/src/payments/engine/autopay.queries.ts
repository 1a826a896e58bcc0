import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { dueMinor, isChargeable } from '../../db/constraints/invoice-debt.ts'
import type { MethodDetails } from '../providers/method.ts'
import { mintScope, type CustomerScope } from '../../session/scope.ts'

/** The due invoices of one customer in one currency, and the method to charge. */
export interface DueBundle extends CustomerScope {
  readonly currency: string
  readonly invoices: readonly { readonly id: number; readonly number: string; readonly dueMinor: number }[]
  /** The default method at the reseller's account; null without one. */
  readonly method: {
    readonly id: string
    readonly token: string
    readonly kind: 'card' | 'bank'
    readonly type: string
    readonly status: 'ready' | 'pending'
    readonly details: MethodDetails
  } | null
  /** How often a run of this day failed before anything was sent for one of these invoices. */
  readonly notSent: number
}

/**
 * Lists the next page of what may be charged on a day: due invoices of customers who consent, or of all where no consent is required,
 * without a live attempt and without an autopay attempt of this day. Runs as counterfoil_reseller.
 */
export const listDueBundles = async (
  db: Db,
  { accountId, day, after, limit }: { accountId: number; day: string; after: { customerId: number; currency: string }; limit: number },
): Promise<DueBundle[]> => {
  const { rows } = await sql<Omit<DueBundle, 'invoices'> & { invoices: { id: string; number: string; dueMinor: string }[] }>`
    select v.customer_id as "customerId", v.reseller_id as "resellerId", v.currency,
      jsonb_agg(jsonb_build_object('id', v.id::text, 'number', v.number, 'dueMinor', v.amount_due_minor::text) order by v.due_on, v.id) as invoices,
      sum(v.not_sent)::integer as "notSent",
      (select jsonb_build_object('id', m.id, 'token', m.token, 'kind', m.kind, 'type', m.type, 'status', m.status, 'details', m.shown) from payment_method m
        where m.customer_id = v.customer_id and m.account_id = ${accountId} and m.is_default and m.removed_at is null) as method
    from (
      select i.*, c.reseller_id, (select count(*) from payment_attempt_item t join payment_attempt a on a.customer_id = t.customer_id and a.id = t.attempt_id
          join payment_intent n on n.customer_id = a.customer_id and n.id = a.intent_id
        where t.customer_id = i.customer_id and t.invoice_id = i.id and n.channel = 'autopay' and a.status = 'not_sent'
          and a.created_at >= ${day}::date) as not_sent
      from invoice i join customer c on c.id = i.customer_id join reseller r on r.id = c.reseller_id
      where ${isChargeable('i')} and i.due_on <= ${day}::date
        and (c.allow_reseller_charge or not coalesce(r.customer_permission_for_charging, true))
        and (i.customer_id, i.currency) > (${after.customerId}, ${after.currency})
        and not exists (select from payment_attempt_item t where t.customer_id = i.customer_id and t.invoice_id = i.id and t.live)
        and not exists (select from payment_attempt_item t join payment_attempt a on a.customer_id = t.customer_id and a.id = t.attempt_id
            join payment_intent n on n.customer_id = a.customer_id and n.id = a.intent_id
          where t.customer_id = i.customer_id and t.invoice_id = i.id and n.channel = 'autopay' and a.status <> 'not_sent'
            and a.created_at >= ${day}::date)
    ) v group by v.customer_id, v.reseller_id, v.currency order by v.customer_id, v.currency limit ${limit}`.execute(db)
  return rows.map((row) => ({
    ...mintScope(row),
    invoices: row.invoices.map(({ id, number, dueMinor }) => ({ id: Number(id), number, dueMinor: Number(dueMinor) })),
  }))
}

/** Due invoices of one customer in one currency that a run leaves alone, and why. */
export interface UnchargedInvoices {
  readonly customerId: number
  readonly externalId: string | null
  readonly currency: string
  readonly amountMinor: number
  readonly invoices: readonly string[]
  readonly reason: 'not allowed' | 'in collection' | 'being paid already' | 'already tried today'
}

/**
 * Lists what is due on a day and may not be charged on it, with the reason: by customer, currency and reason. Runs as counterfoil_reseller.
 */
export const listUncharged = async (db: Db, resellerId: number, day: string): Promise<UnchargedInvoices[]> => {
  const { rows } = await sql<Omit<UnchargedInvoices, 'amountMinor'> & { amountMinor: string }>`
    select v.customer_id as "customerId", v.external_id as "externalId", v.currency, v.reason, sum(v.amount_due_minor)::text as "amountMinor",
      jsonb_agg(v.number order by v.due_on, v.id) as invoices
    from (
      select i.id, i.customer_id, i.currency, i.number, i.due_on, i.amount_due_minor, c.external_id, case
        when i.status = ${INVOICE_STATUS.inCollection} then 'in collection'
        when exists (select from payment_attempt_item t where t.customer_id = i.customer_id and t.invoice_id = i.id and t.live) then 'being paid already'
        when not (c.allow_reseller_charge or not coalesce(r.customer_permission_for_charging, true)) then 'not allowed'
        when exists (select from payment_attempt_item t join payment_attempt a on a.customer_id = t.customer_id and a.id = t.attempt_id
            join payment_intent n on n.customer_id = a.customer_id and n.id = a.intent_id
          where t.customer_id = i.customer_id and t.invoice_id = i.id and n.channel = 'autopay' and a.status <> 'not_sent'
            and a.created_at >= ${day}::date) then 'already tried today' end as reason
      from invoice i join customer c on c.id = i.customer_id join reseller r on r.id = c.reseller_id
      where c.reseller_id = ${resellerId} and ${dueMinor('i')} > 0 and i.due_on <= ${day}::date
    ) v where v.reason is not null group by v.customer_id, v.external_id, v.currency, v.reason
    order by v.reason, v.customer_id, v.currency`.execute(db)
  return rows.map((row) => ({ ...row, amountMinor: Number(row.amountMinor) }))
}

/** Inserts the intent of an autopay run for one customer, with its invoices over what is due. Claims nothing. */
export const insertAutopayIntent = async (
  db: Db,
  { customerId, currency, invoices }: DueBundle,
  intent: { id: string; sessionId: string; resellerId: number; createdAt: Date; expiresAt: Date },
): Promise<void> => {
  await db
    .insertInto('payment_intent')
    .values({
      customer_id: customerId,
      id: intent.id,
      reseller_id: intent.resellerId,
      session_id: intent.sessionId,
      channel: 'autopay',
      currency,
      created_by: null,
      created_at: intent.createdAt,
      expires_at: intent.expiresAt,
    })
    .execute()
  const rows = invoices.map(({ id, dueMinor }, index) => ({
    customer_id: customerId,
    intent_id: intent.id,
    item_no: index + 1,
    invoice_id: id,
    adjustment_id: null,
    amount_minor: dueMinor,
  }))
  await db.insertInto('payment_intent_item').values(rows).execute()
}
