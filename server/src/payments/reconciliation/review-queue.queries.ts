import type { Db } from '../../db/database.ts'
import { mintScope } from '../../session/scope.ts'
import type { AttemptKey } from '../attempts/attempt.queries.ts'

/** The ids of all resellers, in their order. Runs as counterfoil_system. */
export const listResellerIds = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('reseller').select('id').orderBy('id').execute()).map(({ id }) => id)

/** The scope of an attempt of whichever reseller, by its id; undefined without one. Runs as counterfoil_system. */
export const findAttemptKey = async (db: Db, id: string): Promise<AttemptKey | undefined> => {
  const row = await db
    .selectFrom('payment_attempt')
    .select(['id', 'customer_id as customerId', 'reseller_id as resellerId'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : mintScope(row)
}

/**
 * The scope of the attempt of whichever reseller that a provider knows by our reference; undefined without one. Runs as counterfoil_system.
 */
export const findAttemptKeyByReference = async (db: Db, provider: string, merchantReference: string): Promise<AttemptKey | undefined> => {
  const row = await db
    .selectFrom('payment_attempt')
    .select(['id', 'customer_id as customerId', 'reseller_id as resellerId'])
    .where('provider', '=', provider)
    .where('merchant_reference', '=', merchantReference)
    .executeTakeFirst()
  return row === undefined ? undefined : mintScope(row)
}

/** The attempts of a reseller that need an operator, oldest first. */
export const listManualAttempts = (db: Db, resellerId: number) =>
  db
    .selectFrom('payment_attempt')
    .select([
      'id',
      'customer_id as customerId',
      'provider',
      'provider_ref as providerRef',
      'merchant_reference as merchantReference',
      'currency',
      'amount_minor as amountMinor',
      'created_at as createdAt',
    ])
    .where('reseller_id', '=', resellerId)
    .where('status', '=', 'manual')
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** The history of an attempt, oldest first. */
export const listAttemptEvents = (db: Db, { owns, id }: AttemptKey) =>
  db
    .selectFrom('payment_attempt_event')
    .select(['entry_no as entryNo', 'from_status as from', 'to_status as to', 'source', 'note', 'at'])
    .where(owns('payment_attempt_event'))
    .where('attempt_id', '=', id)
    .orderBy('entry_no')
    .execute()

/** What an attempt pays, in order, with invoice numbers and whether the attempt still claims it. */
export const listAttemptItems = (db: Db, { owns, id }: AttemptKey) =>
  db
    .selectFrom('payment_attempt_item as item')
    .leftJoin('invoice', (join) => join.onRef('invoice.customer_id', '=', 'item.customer_id').onRef('invoice.id', '=', 'item.invoice_id'))
    .select([
      'item.item_no as itemNo',
      'item.invoice_id as invoiceId',
      'invoice.number',
      'invoice.external_id as invoiceExternalId',
      'item.adjustment_id as adjustmentId',
      'item.amount_minor as amountMinor',
      'item.live as isBlocked',
    ])
    .where(owns('item'))
    .where('item.attempt_id', '=', id)
    .orderBy('item.item_no')
    .execute()

/** The ledger entries of an attempt, payments and returns, in the order in which they were recorded. */
export const listLedgerEntries = (db: Db, { owns, id }: AttemptKey) =>
  db
    .selectFrom('payment_allocation')
    .select([
      'entry_no as entryNo',
      'kind',
      'target',
      'invoice_id as invoiceId',
      'adjustment_id as adjustmentId',
      'amount_minor as amountMinor',
      'overpaid_minor as overpaidMinor',
      'recorded_at as at',
    ])
    .where(owns('payment_allocation'))
    .where('attempt_id', '=', id)
    .orderBy('entry_no')
    .execute()
