import { withoutUndefined } from '../api/fields.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { referenceOf, toNumber, type Transaction } from './transaction.ts'

/** Queues the webhook event of a transaction; `type` as in `payment.refund.created`. */
export const emitTransaction = (session: AuthorizeSession, type: string, transaction: Transaction): void => {
  const { decision, amount, id } = transaction
  session.emit({
    type,
    payload: withoutUndefined({
      responseCode: Number(decision.responseCode),
      authCode: decision.authCode,
      avsResponse: decision.avs,
      authAmount: toNumber(amount),
      ...(type === 'payment.fraud.held' ? { fraudList: [{ fraudFilter: 'AmountFilter', fraudAction: 'authAndHold' }] } : {}),
      invoiceNumber: referenceOf(transaction) || undefined,
      entityName: 'transaction',
      id,
    }),
  })
}
