import type { PaymentSummary, PendingPayment } from '@counterfoil/contract/kit/payments/payment-summary'
import { findAccountOf } from './accounts/accounts.ts'
import type { AttemptKey } from './attempts/attempt.queries.ts'
import { latestEndOfUnknown } from './attempts/unknown-outcome.rules.ts'
import { findSummaryHead, listSummaryItems, type SummaryHead } from './payment-summary.queries.ts'
import { expectedDay, toPaymentSummary } from './payment-summary.rules.ts'
import { type PaymentsDeps, transactAsReseller } from './payments-deps.ts'

/**
 * A payment as its payer is told of it. Nothing depends on it: what cannot be read after a charge is null, never an error, because nobody
 * may be told to try again then.
 */
export const readPaymentSummary = async (deps: PaymentsDeps, key: AttemptKey): Promise<PaymentSummary | null> => {
  try {
    const found = await transactAsReseller(deps, key.resellerId, async (db) => {
      const head = await findSummaryHead(db, key)
      return head === undefined ? undefined : { head, items: await listSummaryItems(db, key) }
    })
    if (found === undefined) return null
    const { head, items } = found
    const isOnItsWay = head.isDebit && head.status === 'processing'
    const bankingDays = isOnItsWay ? await findDebitBankingDays(deps, head) : null
    const expectedOn = expectedDay(head, bankingDays, deps.clock())
    return toPaymentSummary(head, items, { expectedOn, unknownOutcome: await findUnknownOutcome(deps, head) })
  } catch (error) {
    deps.log.warn({ err: error, attemptId: key.id }, 'the summary of a payment could not be read')
    return null
  }
}

/** What is told of the payment that is in another one's way; undefined where that payment is not known or cannot be read. */
export const readPendingPayment = async (deps: PaymentsDeps, key: AttemptKey): Promise<PendingPayment | undefined> => {
  const summary = await readPaymentSummary(deps, key)
  if (summary === null) return undefined
  const { reference, isUnderReview, unknownOutcome } = summary
  return { reference, isUnderReview, unknownOutcome }
}

/**
 * When at the latest a payment without an answer ends by itself, if nothing was charged; `endsBy` is null where nobody can say. Null for
 * every other payment.
 */
const findUnknownOutcome = async (deps: PaymentsDeps, attempt: SummaryHead): Promise<PaymentSummary['unknownOutcome']> => {
  if (attempt.status !== 'unknown') return null
  const account = await findAccountOf(deps, attempt)
  if (account === null) return { endsBy: null }
  // A look-up that is overdue is still to come: the worker may stand still.
  const now = deps.clock()
  const nextCheckAt = attempt.nextCheckAt !== null && attempt.nextCheckAt < now ? now : attempt.nextCheckAt
  return { endsBy: latestEndOfUnknown({ ...attempt, nextCheckAt }, account.provider)?.toISOString() ?? null }
}

/** In how many banking days a debit of this type usually arrives at a reseller; null where the provider does not say. */
export const findDebitBankingDays = async (
  deps: PaymentsDeps,
  { methodType, ...of }: { readonly resellerId: number; readonly accountId: number; readonly methodType: string },
): Promise<number | null> => {
  const account = await findAccountOf(deps, of)
  return account?.provider.debits?.bankingDays(account.context.settings, methodType) ?? null
}
