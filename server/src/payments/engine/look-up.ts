import { accountOf } from '../accounts/accounts.ts'
import { transactAsReseller, providerOf, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeResult } from '../providers/provider.ts'
import { settle } from './settle.ts'
import { type Attempt, type AttemptKey, attemptRow, type Source } from './settle.queries.ts'

const MINUTE = 60_000
/** How long a payer may take to confirm before the payment is given up. */
const CONFIRM_MS = 60 * MINUTE
/** How long an order may still be on its way to a company that says it has done nothing. */
const ARRIVED_MS = 2 * MINUTE
const SETTLED_MS = 10 * MINUTE
const IDLE_CHECKS = 2

/**
 * Asks the company what became of an attempt, and writes it. What the company says it has not begun is given up there once nothing can
 * be on its way any more, so that a lost order does not keep an invoice for ever.
 * @returns the attempt as it now stands
 */
export const lookUp = async (deps: PaymentsDeps, key: AttemptKey, source: Source): Promise<Attempt> => {
  const attempt = await standing(deps, key)
  const settled = await settle(deps, key, await askCompany(deps, attempt), source)
  return isAbandoned(deps, settled) ? giveUp(deps, settled, source) : settled
}

/** Gives up at the company what its payer has not confirmed; should the money have moved after all, that is what is written. */
export const giveUp = async (deps: PaymentsDeps, attempt: Attempt, source: Source = 'return'): Promise<Attempt> => {
  const account = await accountOf(deps, attempt.resellerId, attempt.provider)
  if (account === null) return attempt
  const { provider, call } = account
  const detail = 'the company had not begun it'
  const result: ChargeResult =
    provider.cancel === undefined || attempt.providerRef === null
      ? { state: 'cancelled', detail }
      : await provider.cancel(call, { attemptId: attempt.id, providerRef: attempt.providerRef }).catch(silence)
  return settle(deps, attempt, result, source)
}

const standing = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await transactAsReseller(deps, key.resellerId, (db) => attemptRow(db, key))
  if (attempt === undefined) throw new Error(`there is no attempt ${key.id}`)
  return attempt
}

/** Asks the company what became of an attempt, and writes nothing. Not being answered is an answer: unknown. */
export const askCompany = async (deps: PaymentsDeps, attempt: Attempt): Promise<ChargeResult> => {
  if (attempt.status === 'created') return { state: 'not-sent', detail: 'it was never sent' }
  const account = await accountOf(deps, attempt.resellerId, attempt.provider)
  if (account === null) return { state: 'unknown', detail: 'the company is not configured any more' }
  const { id: attemptId, providerRef, sentAt } = attempt
  return account.provider.lookUp(account.call, { attemptId, providerRef, sentAt }).catch(silence)
}

const silence = (error: unknown): ChargeResult => ({ state: 'unknown', detail: error instanceof Error ? error.message : 'no answer' })

const isAbandoned = (deps: PaymentsDeps, { provider, providerRef, status, sentAt, idleChecks }: Attempt): boolean => {
  const ageMs = deps.clock().getTime() - (sentAt?.getTime() ?? 0)
  if (status === 'action') return ageMs >= CONFIRM_MS
  if (status !== 'unknown' || idleChecks < IDLE_CHECKS) return false
  const isDecisive = providerRef !== null && providerOf(deps, provider)?.cancel !== undefined
  return ageMs >= (isDecisive ? ARRIVED_MS : SETTLED_MS)
}
