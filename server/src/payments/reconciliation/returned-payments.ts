import { findAccount } from '../accounts/accounts.ts'
import { lookUpAttempt } from '../engine/look-up.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import { findAttemptOfEvent } from '../webhooks/webhook-events.queries.ts'

/**
 * Looks up every payment whose return a provider without webhooks for it lists between two instants, which settles the return.
 * @returns how many were looked up
 */
export const lookUpReturned = async (
  deps: PaymentsDeps,
  { resellerId, provider }: { resellerId: number; provider: string },
  from: Date,
  to: Date,
): Promise<number> => {
  const account = await findAccount(deps, resellerId, provider)
  if (account?.provider.listReturned === undefined) return 0
  let count = 0
  for await (const { ourRef, providerRef } of account.provider.listReturned(account.context, from, to)) {
    const subject = { providerRef, ...(ourRef === null ? {} : { ourRef }) }
    const key = await transactAsReseller(deps, resellerId, (db) => findAttemptOfEvent(db, { resellerId, provider, subject }))
    if (key === undefined) continue
    await lookUpAttempt(deps, key, 'sweep')
    count += 1
  }
  return count
}
