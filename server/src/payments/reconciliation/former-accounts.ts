import { addMs } from '../../kit/clock.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Db } from '../../db/database.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import { DEFAULT_DAYS } from './reconcile.ts'
import { LATE_LISTING_MS } from './returned-payments.ts'
import { listResellerIds } from './review-queue.queries.ts'
import {
  deleteAccountSecrets,
  listAccounts,
  lockFormerAccount,
  readAccountUse,
  type AccountUse,
} from '../accounts/former-accounts.queries.ts'

/** As long as a payment is compared, and what its bank returns may be listed. */
export const KEPT_MS = DEFAULT_DAYS * 86_400_000 + LATE_LISTING_MS

/**
 * When the credentials of a former account may be deleted: `KEPT_MS` after its last payment or its replacement; null while a payment there
 * is not final. Deletes nothing.
 */
export const deletedAt = (replacedAt: Date, { livePayments, lastPaymentAt }: AccountUse): Date | null => {
  if (livePayments > 0) return null
  const from = lastPaymentAt !== null && lastPaymentAt > replacedAt ? lastPaymentAt : replacedAt
  return addMs(from, KEPT_MS)
}

/** Deletes the credentials of every reseller's former accounts whose payments are all final and compared. */
export const deleteUnusedCredentials = async (deps: PaymentsDeps): Promise<void> => {
  for (const resellerId of await deps.store.transact({ role: 'counterfoil_system' }, listResellerIds))
    await transactAsReseller(
      deps,
      resellerId,
      async (db) => {
        for (const { id, replacedAt, sealed } of await listAccounts(db, resellerId)) {
          if (replacedAt === null || sealed === null || (await lockFormerAccount(db, resellerId, id)) === undefined) continue
          const due = deletedAt(replacedAt, await readAccountUse(db, id))
          if (due === null || due > deps.clock()) continue
          await deleteAccountSecrets(db, id)
          deps.log.info({ resellerId, accountId: id }, 'the credentials of a former payment account were deleted: its payments are final')
        }
      },
      { pool: 'background' },
    )
}

/**
 * Deletes the credentials of a former account at an operator's word, earlier than they would be. The account and its payments stay.
 * @throws OperatorError when there is no such account, or a payment there is not final
 */
export const removeFormerAccount = async (db: Db, resellerId: number, id: number): Promise<{ readonly provider: string }> => {
  const account = await lockFormerAccount(db, resellerId, id)
  if (account === undefined)
    throw new OperatorError(`The reseller has no former account ${id} with credentials: see reseller payments set.`)
  const { livePayments } = await readAccountUse(db, id)
  if (livePayments > 0)
    throw new OperatorError(
      `${livePayments === 1 ? '1 payment' : `${livePayments} payments`} at account ${id} ${livePayments === 1 ? 'is' : 'are'} not final: without its credentials nobody could find out what became of them. Nothing was changed.`,
    )
  await deleteAccountSecrets(db, id)
  return account
}
