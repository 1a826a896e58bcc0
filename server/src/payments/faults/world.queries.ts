import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/invoice-status'
import { sql } from 'kysely'
import { later } from '../../kit/clock.ts'
import type { Db } from '../../kit/db.ts'
import type { PayerIds } from '../payments-house.ts'

const DAY = 86_400_000

/** An invoice, and whether some attempt has it in its hands. */
export interface StandingInvoice {
  readonly id: number
  readonly status: number
  readonly dueMinor: number
  readonly isHeld: boolean
}

/** How invoices stand at this moment. Read as the reseller. */
export const standingInvoices = async (db: Db, customerId: number, ids: readonly number[]): Promise<StandingInvoice[]> => {
  const { rows } = await sql<StandingInvoice>`
    select v.id, v.status, v.amount_due_minor as "dueMinor", exists(select from payment_attempt_item i
      where i.customer_id = v.customer_id and i.invoice_id = v.id and i.live) as "isHeld"
    from invoice v where v.customer_id = ${customerId} and v.id = any(${ids}::bigint[]) order by v.id`.execute(db)
  return rows
}

/** Another intent, for what is due of these invoices now. As the reseller. */
export const intentFor = async (
  db: Db,
  { customerId, resellerId }: PayerIds,
  invoices: readonly StandingInvoice[],
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
      expires_at: later(now, DAY),
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

/** The billing engine credits an invoice, as its records say it: nothing is due of it any more. As the reseller. */
export const creditInvoice = async (db: Db, customerId: number, id: number): Promise<void> => {
  await db
    .updateTable('invoice')
    .set({ status: INVOICE_STATUS.credited, amount_due_minor: 0 })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute()
}
