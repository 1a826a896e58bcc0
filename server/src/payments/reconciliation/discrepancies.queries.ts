import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AttemptStatus } from '../attempts/attempt.ts'
import type { Discrepancy, OurPayment } from './discrepancies.rules.ts'

/** The payments that were sent at an account in a span of time, whatever became of them. */
export const listSentPayments = async (db: Db, accountId: number, from: Date, to: Date): Promise<OurPayment[]> => {
  const rows = await selectPayments(db, accountId).where('sent_at', '>=', from).where('sent_at', '<', to).execute()
  return rows.map((row) => ({ ...row, status: row.status as AttemptStatus }))
}

/** The payments of an account with these references, whenever they were sent. */
export const listPaymentsByReferences = async (db: Db, accountId: number, refs: readonly string[]): Promise<OurPayment[]> => {
  const rows = await selectPayments(db, accountId).where(sql<boolean>`merchant_reference = any(${refs}::text[])`).execute()
  return rows.map((row) => ({ ...row, status: row.status as AttemptStatus }))
}

/** The query of all payments that were made at an account, to be narrowed. */
const selectPayments = (db: Db, accountId: number) =>
  db
    .selectFrom('payment_attempt')
    .select([
      'id as attemptId',
      'merchant_reference as merchantReference',
      'customer_id as customerId',
      'provider_ref as providerRef',
      'status',
      'currency',
      'amount_minor as amountMinor',
      'refunded_minor as refundedMinor',
      'reversed_minor as reversedMinor',
    ])
    .where('account_id', '=', accountId)

/**
 * The payments of other accounts of the reseller among these provider's numbers, as "our reference, blank, number". Where two accounts are
 * one at the provider, its list shows the payments of both.
 */
export const listNumbersOfOtherAccounts = async (
  db: Db,
  { resellerId, accountId }: { resellerId: number; accountId: number },
  providerRefs: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ merchantReference: string; providerRef: string }>`
    select a.merchant_reference as "merchantReference", a.provider_ref as "providerRef" from payment_account p
    join payment_attempt a on a.account_id = p.id and a.provider_ref = any(${providerRefs}::text[])
    where p.reseller_id = ${resellerId} and p.id <> ${accountId}`.execute(db)
  return new Set(rows.map(({ merchantReference, providerRef }) => `${merchantReference} ${providerRef}`))
}

/** An account whose lists are compared. */
export interface ComparedAccount {
  readonly resellerId: number
  readonly accountId: number
  readonly provider: string
}

/**
 * Inserts a discrepancy, closed where a look-up resolved it. A known one gets these amounts, and is reopened if it was closed; one that an
 * operator dismissed with these very amounts stays dismissed.
 */
export const upsertDiscrepancy = async (
  db: Db,
  account: ComparedAccount,
  discrepancy: Discrepancy,
  { now, isResolved }: { now: Date; isResolved: boolean },
): Promise<void> => {
  const [closedAt, closedBy] = isResolved ? [now, 'look-up'] : [null, null]
  await sql`
    insert into payment_discrepancy as d (reseller_id, account_id, provider, provider_ref, kind, attempt_id, merchant_reference, about_customer_id, currency, ours_minor, theirs_minor,
      found_at, closed_at, closed_by)
    values (${account.resellerId}, ${account.accountId}, ${account.provider}, ${discrepancy.providerRef}, ${discrepancy.kind}, ${discrepancy.attemptId}, ${discrepancy.merchantReference}, ${discrepancy.customerId}, ${discrepancy.currency},
      ${discrepancy.oursMinor}, ${discrepancy.theirsMinor}, ${now}, ${closedAt}, ${closedBy})
    on conflict (reseller_id, account_id, provider_ref, kind) do update set ours_minor = excluded.ours_minor,
      theirs_minor = excluded.theirs_minor, closed_at = excluded.closed_at, closed_by = excluded.closed_by, reason = null,
      found_at = case when d.closed_at is null then d.found_at else excluded.found_at end
    where d.closed_by is distinct from 'operator' or d.ours_minor is distinct from excluded.ours_minor
      or d.theirs_minor is distinct from excluded.theirs_minor`.execute(db)
}

/** Closes open discrepancies of the compared payments that are not found any more. An overpayment is no matter of the two lists. */
export const closeResolvedDiscrepancies = async (
  db: Db,
  account: ComparedAccount,
  compared: { merchantReferences: readonly string[]; found: readonly string[] },
  now: Date,
): Promise<void> => {
  await sql`
    update payment_discrepancy set closed_at = ${now}, closed_by = 'agreement'
    where reseller_id = ${account.resellerId} and account_id = ${account.accountId} and closed_at is null
      and kind <> 'overpaid' and merchant_reference = any(${compared.merchantReferences}::text[]) and not (provider_ref || ' ' || kind = any(${compared.found}::text[]))`.execute(
    db,
  )
}

/** The discrepancies that an operator dismissed, as "provider's reference, blank, kind"; one whose amounts changed since is open again. */
export const listDismissedDiscrepancies = async (db: Db, { resellerId, accountId }: ComparedAccount): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('payment_discrepancy')
    .select(['provider_ref', 'kind'])
    .where('reseller_id', '=', resellerId)
    .where('account_id', '=', accountId)
    .where('closed_by', '=', 'operator')
    .execute()
  return new Set(rows.map(({ provider_ref, kind }) => `${provider_ref} ${kind}`))
}

/** The discrepancies of a reseller that need review, overpayments too, oldest first. */
export const listOpenDiscrepancies = (db: Db, resellerId: number) =>
  db
    .selectFrom('payment_discrepancy')
    .select([
      'account_id as accountId',
      'provider',
      'provider_ref as providerRef',
      'kind',
      'attempt_id as attemptId',
      'merchant_reference as merchantReference',
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
 * Closes the open discrepancies of a provider's reference at an operator's word. No money moves.
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
