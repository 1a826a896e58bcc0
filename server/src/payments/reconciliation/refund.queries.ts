import type { Db } from '../../db/database.ts'
import type { Attempt } from '../attempts/attempt.queries.ts'

/**
 * Marks a refund as about to be sent, unless another one was sent since the payment was read. Sends nothing.
 * @returns whether it may be sent
 */
export const markRefundSent = async (db: Db, before: Attempt, amountMinor: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('payment_attempt')
    .set({ refund_sent_minor: amountMinor, refund_sent_total_minor: before.refundedMinor + amountMinor })
    .where(before.owns('payment_attempt'))
    .where('id', '=', before.id)
    .where('refunded_minor', '=', before.refundedMinor)
    .where('refund_sent_total_minor', 'is not distinct from', before.refundSentTotalMinor)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes the mark of a refund whose outcome is known. */
export const clearSentRefund = async (db: Db, { owns, id }: Attempt): Promise<void> => {
  await db
    .updateTable('payment_attempt')
    .set({ refund_sent_minor: null, refund_sent_total_minor: null })
    .where(owns('payment_attempt'))
    .where('id', '=', id)
    .execute()
}
