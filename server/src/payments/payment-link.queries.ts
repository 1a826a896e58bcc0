import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { mintPayerScope, type PayerScope } from '../session/scope.ts'

/** The invoice behind a payment link. */
export interface LinkedInvoice extends PayerScope {
  readonly invoiceId: number
}

/**
 * Finds the invoice of a payment link. Runs as the system role, whose policy shows only the invoice of `app.pay_token` (migrations/0030).
 */
export const findInvoiceByPayToken = async (db: Db, payToken: string): Promise<LinkedInvoice | undefined> => {
  await sql`select set_config('app.pay_token', ${payToken}, true)`.execute(db)
  const row = await db
    .selectFrom('invoice')
    .innerJoin('customer', 'customer.id', 'invoice.customer_id')
    .select(['customer.reseller_id as resellerId', 'invoice.customer_id as customerId', 'invoice.id as invoiceId'])
    .where('invoice.pay_token', '=', payToken)
    .executeTakeFirst()
  return row === undefined ? undefined : mintPayerScope(row)
}
