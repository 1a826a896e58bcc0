import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AttemptStatus } from '../attempts/attempt.ts'
import type { Discrepancy, OurPayment } from './discrepancies.rules.ts'

/** The payments that a reseller sent to a provider in a span of time. */
export const listSentPayments = async (db: Db, resellerId: number, provider: string, from: Date, to: Date): Promise<OurPayment[]> => {
  const rows = await selectPayments(db, resellerId, provider).where('sent_at', '>=', from).where('sent_at', '<', to).execute()
  return rows.map((row) => ({ ...row, status: row.status as AttemptStatus }))
}

/** The payments with these references, whenever they were sent. */
export const listPaymentsByReferences = async (
  db: Db,
  resellerId: number,
  provider: string,
  refs: readonly string[],
): Promise<OurPayment[]> => {
  const rows = await selectPayments(db, resellerId, provider).where(sql<boolean>`our_ref = any(${refs}::text[])`).execute()
  return rows.map((row) => ({ ...row, status: row.status as AttemptStatus }))
}

const selectPayments = (db: Db, resellerId: number, provider: string) =>
  db
    .selectFrom('payment_attempt')
    .select([
      'id as attemptId',
      'our_ref as ourRef',
      'customer_id as customerId',
      'provider_ref as providerRef',
      'status',
      'currency',
      'amount_minor as amountMinor',
      'refunded_minor as refundedMinor',
      'reversed_minor as reversedMinor',
    ])
    .where('reseller_id', '=', resellerId)
    .where('provider', '=', provider)

export const listAccountProviders = async (db: Db, resellerId: number): Promise<string[]> =>
  (await db.selectFrom('payment_account').select('provider').where('reseller_id', '=', resellerId).execute()).map(
    ({ provider }) => provider,
  )

/**
 * Inserts a discrepancy. A known one stays as it is; one that was closed and is found again is reopened, unless an operator dismissed
 * these very amounts.
 */
export const upsertDiscrepancy = async (
  db: Db,
  account: { resellerId: number; provider: string },
  discrepancy: Discrepancy,
  { now, isResolved }: { now: Date; isResolved: boolean },
): Promise<void> => {
  const [closedAt, closedBy] = isResolved ? [now, 'look-up'] : [null, null]
  await sql`
    insert into payment_discrepancy as d (reseller_id, provider, provider_ref, kind, attempt_id, our_ref, about_customer_id, currency, ours_minor, theirs_minor,
      found_at, closed_at, closed_by)
    values (${account.resellerId}, ${account.provider}, ${discrepancy.providerRef}, ${discrepancy.kind}, ${discrepancy.attemptId}, ${discrepancy.ourRef}, ${discrepancy.customerId}, ${discrepancy.currency},
      ${discrepancy.oursMinor}, ${discrepancy.theirsMinor}, ${now}, ${closedAt}, ${closedBy})
    on conflict (reseller_id, provider, provider_ref, kind) do update set ours_minor = excluded.ours_minor,
      theirs_minor = excluded.theirs_minor, closed_at = excluded.closed_at, closed_by = excluded.closed_by, reason = null,
      found_at = case when d.closed_at is null then d.found_at else excluded.found_at end
    where d.closed_by is distinct from 'operator' or d.ours_minor is distinct from excluded.ours_minor
      or d.theirs_minor is distinct from excluded.theirs_minor`.execute(db)
}

/** Closes open discrepancies of the compared payments that are not found any more. An overpayment is no matter of the two lists. */
export const closeResolvedDiscrepancies = async (
  db: Db,
  account: { resellerId: number; provider: string },
  compared: { ourRefs: readonly string[]; found: readonly string[] },
  now: Date,
): Promise<void> => {
  await sql`
    update payment_discrepancy set closed_at = ${now}, closed_by = 'agreement'
    where reseller_id = ${account.resellerId} and provider = ${account.provider} and closed_at is null
      and kind <> 'overpaid' and our_ref = any(${compared.ourRefs}::text[]) and not (provider_ref || ' ' || kind = any(${compared.found}::text[]))`.execute(
    db,
  )
}

/** The discrepancies that an operator dismissed, as "reference kind"; one whose amounts changed since is open again. */
export const listDismissedDiscrepancies = async (db: Db, account: { resellerId: number; provider: string }): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('payment_discrepancy')
    .select(['provider_ref', 'kind'])
    .where('reseller_id', '=', account.resellerId)
    .where('provider', '=', account.provider)
    .where('closed_by', '=', 'operator')
    .execute()
  return new Set(rows.map(({ provider_ref, kind }) => `${provider_ref} ${kind}`))
}

/** The discrepancies that need review, oldest first. */
export const listOpenDiscrepancies = (db: Db, resellerId: number) =>
  db
    .selectFrom('payment_discrepancy')
    .select([
      'provider',
      'provider_ref as providerRef',
      'kind',
      'attempt_id as attemptId',
      'our_ref as ourRef',
      'about_customer_id as customerId',
      'currency',
      'ours_minor as oursMinor',
      'theirs_minor as theirsMinor',
      'found_at as foundAt',
    ])
    .where('reseller_id', '=', resellerId)
    .where('closed_at', 'is', null)
    .orderBy('found_at')
    .orderBy('provider_ref')
    .execute()

/**
 * Dismisses the open discrepancies of a reference.
 * @returns how many there were
 */
export const dismissDiscrepancies = async (db: Db, resellerId: number, providerRef: string, reason: string, now: Date): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('payment_discrepancy')
    .set({ closed_at: now, closed_by: 'operator', reason })
    .where('reseller_id', '=', resellerId)
    .where('provider_ref', '=', providerRef)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
