import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { isLive } from '../attempts/attempt.ts'
import { fetchResult, cancelAttempt } from '../engine/look-up.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeResult } from '../providers/charge-result.ts'
import { isReferenceTaken, settleAttempt, settleAttemptInTransaction } from '../engine/settle.ts'
import { type Attempt, type AttemptKey, findAttempt, lockAttempt } from '../attempts/attempt.queries.ts'

/** The outcome that an operator states. */
type ManualOutcome = 'paid' | 'failed'

/** What an operator states of a payment. */
interface ManualStatement {
  readonly outcome: ManualOutcome
  readonly reason: string
  /** The provider's number of the payment, as its desk shows it; null where it is not told. Without it, it cannot be refunded from here. */
  readonly providerRef: string | null
}

/** How long an attempt must be left to automatic look-ups before an operator may resolve it. */
const MIN_AGE_MS = 3_600_000

/**
 * Settles an attempt by an operator's statement where the provider cannot say. The provider is asked first, and its result is settled: an
 * operator never overrules it.
 * @param writeAudit writes the audit event in the same transaction
 * @returns the attempt, and whether the provider itself gave this outcome
 * @throws OperatorError when the provider says otherwise, or the status still changes by itself
 */
export const resolveManually = async (
  deps: PaymentsDeps,
  key: AttemptKey,
  statement: ManualStatement,
  writeAudit: (db: Db, attempt: Attempt) => Promise<void>,
): Promise<{ attempt: Attempt; isFromProvider: boolean }> => {
  const { outcome, reason } = statement
  const before = await transactAsReseller(deps, key.resellerId, (db) => findAttempt(db, key))
  if (before === undefined) throw new OperatorError(`There is no payment ${key.id}.`)
  assertResolvable(before, outcome, deps.clock())
  const result = await fetchResult(deps, before)
  const settled = await settleAttempt(deps, key, result, 'operator')
  const current = result.state === 'not_started' && outcome === 'failed' ? await cancelAttempt(deps, settled, 'operator') : settled
  if (!isLive(current.status)) {
    if (current.isBooked === (outcome === 'paid')) return { attempt: current, isFromProvider: true }
    throw new OperatorError(`The provider has just reported the outcome itself: ${current.status}. That is recorded, and yours is not.`)
  }
  assertResolvable(current, outcome, deps.clock())
  assertProviderSilent(result, outcome)
  const attempt = await transactAsReseller(deps, key.resellerId, async (db) => {
    const locked = await lockAttempt(db, key)
    if (locked.status !== current.status) throw new OperatorError(`The payment has gone on meanwhile and is ${locked.status} now.`)
    const settled = await settleAttemptInTransaction(db, key, manualResult(locked, statement), {
      learnedFrom: 'operator',
      now: deps.clock(),
      note: `manual resolution: ${reason}`,
    })
    await writeAudit(db, settled)
    return settled
  }).catch((error: unknown) => {
    if (!isReferenceTaken(error)) throw error
    throw new OperatorError(`Another payment has the number ${statement.providerRef ?? ''} at the provider. Nothing was changed.`)
  })
  if (attempt.isBooked && attempt.receiptEmail !== null) deps.onMailQueued()
  return { attempt, isFromProvider: false }
}

/** An operator's statement as a provider's result: paid in full, or canceled. */
const manualResult = (attempt: Attempt, { outcome, reason, providerRef }: ManualStatement): ChargeResult =>
  outcome === 'failed'
    ? { state: 'canceled', detail: reason }
    : {
        state: 'succeeded',
        providerRef: providerRef ?? attempt.providerRef ?? attempt.id,
        amount: { minor: BigInt(attempt.amountMinor), currency: attempt.currency },
        refunded: 0n,
        reversed: 0n,
      }

/**
 * Checks that an attempt waits for an operator, or is unknown and was sent at least `MIN_AGE_MS` ago.
 * @throws OperatorError for any other
 */
const assertResolvable = ({ status, sentAt }: Attempt, outcome: ManualOutcome, now: Date): void => {
  if (status === 'manual') return
  if (!isLive(status)) throw new OperatorError(`The payment is ${status} already; it cannot be settled as ${outcome}.`)
  const ageMs = now.getTime() - (sentAt?.getTime() ?? now.getTime())
  if (status !== 'unknown') throw new OperatorError(`The payment is ${status}: it finds its own end. Look it up instead.`)
  if (ageMs < MIN_AGE_MS)
    throw new OperatorError('The payment was sent less than an hour ago and is still being looked for. Look it up, or wait.')
}

/**
 * Checks that what the provider says leaves the outcome to the operator, since the provider’s statement takes precedence.
 * @throws OperatorError when it says otherwise
 */
const assertProviderSilent = (result: ChargeResult, outcome: ManualOutcome): void => {
  if (result.state === 'processing' || result.state === 'requires_action')
    throw new OperatorError('The provider says that the payment is still in progress. Look it up again later.')
  if (result.state === 'not_started' && outcome === 'paid')
    throw new OperatorError('The provider knows the payment and says that nothing was charged.')
  if (result.state !== 'succeeded') return
  const { amount, refunded, reversed } = result
  const heldMinor = amount.minor - (refunded ?? 0n) - (reversed ?? 0n)
  if (outcome === 'failed' && heldMinor <= 0n) return
  throw new OperatorError(
    `The provider charged ${amount.minor} minor units of ${amount.currency}, which is not what was requested, and holds ${heldMinor}. Refund it in the provider's dashboard, then settle the payment as failed.`,
  )
}
