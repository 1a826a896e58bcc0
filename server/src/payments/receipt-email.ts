import type { Db } from '../db/database.ts'
import type { CustomerRequestContext } from '../http/request-context.ts'
import type { CustomerScope } from '../session/scope.ts'

/**
 * The address that a form offers for a receipt: what the signed-in user's profile says, else where the last one went that this user asked
 * for when paying for this customer. Null without either, and for a support session, which does not learn it.
 */
export const readReceiptEmail = async ({
  actor,
  scope,
  transact,
  transactAsSystem,
}: Pick<CustomerRequestContext, 'actor' | 'scope' | 'transact' | 'transactAsSystem'>): Promise<string | null> => {
  if (actor.supporter !== null) return null
  const chosen = await transactAsSystem((db) => findChosenEmail(db, actor.userId))
  return chosen ?? transact((db) => findLastReceiptEmail(db, scope, actor.userId))
}

/** The address for receipts in a user's profile; null without one. */
const findChosenEmail = async (db: Db, userId: string): Promise<string | null> =>
  (await db.selectFrom('app_user').select('receipt_email').where('id', '=', userId).executeTakeFirst())?.receipt_email ?? null

/** Where the last receipt went that this user asked for when paying for this customer; null without one. */
const findLastReceiptEmail = async (db: Db, { owns }: CustomerScope, userId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('payment_intent as intent')
      .innerJoin('payment_attempt as attempt', (join) =>
        join.onRef('attempt.customer_id', '=', 'intent.customer_id').onRef('attempt.intent_id', '=', 'intent.id'),
      )
      .select('attempt.receipt_email as email')
      .where(owns('intent'))
      .where('intent.created_by', '=', userId)
      .where('attempt.receipt_email', 'is not', null)
      .orderBy('attempt.created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.email ?? null
