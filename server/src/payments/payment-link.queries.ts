import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { type CustomerScope, mintScope } from '../session/scope.ts'
import { secretHash } from '../session/tokens.ts'
import { payToken } from './pay-token.ts'

/**
 * The invoice behind a payment link. Its scope covers its customer's rows, so whoever reads by it names this one invoice, or one payment of
 * it.
 */
export interface LinkedInvoice extends CustomerScope {
  readonly invoiceId: number
}

/**
 * Finds the invoice of a payment link by the hash of its token, paid or not; undefined for a wrong one. Runs as counterfoil_system, whose
 * policy shows only the invoice of `app.pay_token_hash` (migrations/0070).
 */
export const findInvoiceByPayToken = async (db: Db, token: string): Promise<LinkedInvoice | undefined> => {
  const hash = secretHash(token)
  await sql`select set_config('app.pay_token_hash', ${hash.toString('hex')}, true)`.execute(db)
  const row = await db
    .selectFrom('invoice')
    .innerJoin('customer', 'customer.id', 'invoice.customer_id')
    .select(['customer.reseller_id as resellerId', 'invoice.customer_id as customerId', 'invoice.id as invoiceId'])
    .where('invoice.pay_token_hash', '=', hash)
    .executeTakeFirst()
  return row === undefined ? undefined : mintScope(row)
}

/** Stores the hashes of these invoices' payment-link tokens, so that their links open. The tokens follow from the keys and ids. */
export const setPayTokens = async (
  db: Db,
  keys: Keys,
  invoices: readonly { readonly customer: number; readonly invoice: number }[],
): Promise<void> => {
  const hashes = invoices.map(({ customer, invoice }) => ({
    customer,
    invoice,
    hash: secretHash(payToken(keys, customer, invoice)).toString('hex'),
  }))
  await sql`
    update invoice i set pay_token_hash = decode(n.hash, 'hex')
    from json_to_recordset(${JSON.stringify(hashes)}::json) as n(customer bigint, invoice bigint, hash text)
    where i.customer_id = n.customer and i.id = n.invoice`.execute(db)
}
