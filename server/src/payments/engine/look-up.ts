import { findAccount } from '../accounts/accounts.ts'
import { transactAsReseller, findProviderFor, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeResult } from '../providers/provider.ts'
import { settleAttempt } from './settle.ts'
import { type Attempt, type AttemptKey, findAttempt, type ResultSource } from './settle.queries.ts'

const MINUTE_MS = 60_000
/** How long a payer may take to confirm before the payment is given up. */
const CONFIRMATION_TIMEOUT_MS = 60 * MINUTE_MS
/** How long an order may still be on its way to a company that says it has done nothing. */
const MAX_TRANSIT_MS = 2 * MINUTE_MS
const MAX_UNCANCELABLE_TRANSIT_MS = 10 * MINUTE_MS
const MIN_NOT_STARTED_CHECKS = 2

/**
 * Asks the company what became of an attempt, and writes it. What the company says it has not begun is given up there once nothing can
 * be on its way any more, so that a lost order does not keep an invoice for ever.
 * @returns the attempt as it now stands
 */
export const lookUpAttempt = async (deps: PaymentsDeps, key: AttemptKey, source: ResultSource): Promise<Attempt> => {
  const attempt = await loadAttempt(deps, key)
  const settled = await settleAttempt(deps, key, await fetchResult(deps, attempt), source)
  return isAbandoned(deps, settled) ? cancelAttempt(deps, settled, source) : settled
}

/** Gives up at the company what its payer has not confirmed; should the money have moved after all, that is what is written. */
export const cancelAttempt = async (deps: PaymentsDeps, attempt: Attempt, source: ResultSource = 'return'): Promise<Attempt> => {
  const account = await findAccount(deps, attempt.resellerId, attempt.provider)
  if (account === null) return attempt
  const { provider, context } = account
  const detail = 'the company had not begun it'
  const result: ChargeResult =
    provider.cancel === undefined || attempt.providerRef === null
      ? { state: 'cancelled', detail }
      : await provider.cancel(context, { attemptId: attempt.id, providerRef: attempt.providerRef }).catch(toUnknownResult)
  return settleAttempt(deps, attempt, result, source)
}

const loadAttempt = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await transactAsReseller(deps, key.resellerId, (db) => findAttempt(db, key))
  if (attempt === undefined) throw new Error(`there is no attempt ${key.id}`)
  return attempt
}

/** Asks the company what became of an attempt, and writes nothing. Not being answered is an answer: unknown. */
export const fetchResult = async (deps: PaymentsDeps, attempt: Attempt): Promise<ChargeResult> => {
  if (attempt.status === 'created') return { state: 'not-sent', detail: 'it was never sent' }
  const account = await findAccount(deps, attempt.resellerId, attempt.provider)
  if (account === null) return { state: 'unknown', detail: 'the company is not configured any more' }
  const { id: attemptId, providerRef, sentAt } = attempt
  return account.provider.lookUp(account.context, { attemptId, providerRef, sentAt }).catch(toUnknownResult)
}

const toUnknownResult = (error: unknown): ChargeResult => ({
  state: 'unknown',
  detail: error instanceof Error ? error.message : 'no answer',
})

const isAbandoned = (
  deps: PaymentsDeps,
  { provider, providerRef, status, sentAt, notStartedChecks: notStartedChecks }: Attempt,
): boolean => {
  const ageMs = deps.clock().getTime() - (sentAt?.getTime() ?? 0)
  if (status === 'action') return ageMs >= CONFIRMATION_TIMEOUT_MS
  if (status !== 'unknown' || notStartedChecks < MIN_NOT_STARTED_CHECKS) return false
  const canBeCanceled = providerRef !== null && findProviderFor(deps, provider)?.cancel !== undefined
  return ageMs >= (canBeCanceled ? MAX_TRANSIT_MS : MAX_UNCANCELABLE_TRANSIT_MS)
}
