import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { hasPaid, isLive } from '../engine/attempt.ts'
import { askCompany, giveUp } from '../engine/look-up.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeResult } from '../providers/provider.ts'
import { settle, settleWithin } from '../engine/settle.ts'
import { type Attempt, type AttemptKey, attemptRow, lockAttempt } from '../engine/settle.queries.ts'

/** What a person says has become of a payment. */
export type Verdict = 'paid' | 'failed'

/** How long an order may be on its way or be found by itself, before a person's word may stand for the company's. */
const OWN_WAY_MS = 3_600_000

/**
 * Settles an attempt by a person's word, where the company cannot say. The company is asked first, and what it says is written: a person
 * never overrules it.
 * @param note writes who did it, in the same transaction
 * @returns the attempt, and whether the company had said the same by itself
 * @throws OperatorError when the company says otherwise, or in a state that finds its own end
 */
export const settleByHand = async (
  deps: PaymentsDeps,
  key: AttemptKey,
  { verdict, reason }: { verdict: Verdict; reason: string },
  note: (db: Db, attempt: Attempt) => Promise<void>,
): Promise<{ attempt: Attempt; byCompany: boolean }> => {
  const before = await transactAsReseller(deps, key.resellerId, (db) => attemptRow(db, key))
  if (before === undefined) throw new OperatorError(`There is no payment ${key.id}.`)
  refuseState(before, verdict, deps.clock())
  const said = await askCompany(deps, before)
  const heard = await settle(deps, key, said, 'operator')
  const asked = said.state === 'idle' && verdict === 'failed' ? await giveUp(deps, heard, 'operator') : heard
  if (!isLive(asked.status)) {
    if (hasPaid(asked.status) === (verdict === 'paid')) return { attempt: asked, byCompany: true }
    throw new OperatorError(`The company itself has just said what became of it: ${asked.status}. That is written, and yours is not.`)
  }
  refuseState(asked, verdict, deps.clock())
  refuseOtherwise(said, verdict)
  const attempt = await transactAsReseller(deps, key.resellerId, async (db) => {
    const standing = await lockAttempt(db, key)
    if (standing.status !== asked.status) throw new OperatorError(`The payment has gone on meanwhile and is ${standing.status} now.`)
    const settled = await settleWithin(db, key, resultOf(standing, verdict, reason), {
      source: 'operator',
      now: deps.clock(),
      note: `by hand: ${reason}`,
    })
    await note(db, settled)
    return settled
  })
  if (hasPaid(attempt.status) && attempt.receiptEmail !== null) deps.mailQueued()
  return { attempt, byCompany: false }
}

const resultOf = (attempt: Attempt, verdict: Verdict, reason: string): ChargeResult =>
  verdict === 'failed'
    ? { state: 'cancelled', detail: reason }
    : {
        state: 'paid',
        providerRef: attempt.providerRef ?? attempt.id,
        amount: { minor: BigInt(attempt.amountMinor), currency: attempt.currency },
        refunded: 0n,
        reversed: 0n,
      }

const refuseState = ({ status, sentAt }: Attempt, verdict: Verdict, now: Date): void => {
  if (status === 'manual') return
  if (!isLive(status)) throw new OperatorError(`The payment is ${status} already; it cannot be settled as ${verdict}.`)
  const ageMs = now.getTime() - (sentAt?.getTime() ?? now.getTime())
  if (status !== 'unknown') throw new OperatorError(`The payment is ${status}: it finds its own end. Look it up instead.`)
  if (ageMs < OWN_WAY_MS)
    throw new OperatorError('The payment was sent less than an hour ago and is still being looked for. Look it up, or wait.')
}

/** Where the company can say something, its word stands. */
const refuseOtherwise = (said: ChargeResult, verdict: Verdict): void => {
  if (said.state === 'pending' || said.state === 'action')
    throw new OperatorError('The company says that the payment is still on its way. Look it up again later.')
  if (said.state === 'idle' && verdict === 'paid')
    throw new OperatorError('The company knows the payment, and says that nothing was charged.')
  if (said.state !== 'paid') return
  const { amount, refunded, reversed } = said
  const kept = amount.minor - refunded - reversed
  if (verdict === 'failed' && kept <= 0n) return
  throw new OperatorError(
    `The company has booked ${amount.minor} of the smallest coin of ${amount.currency}, which is not what was asked for, and holds ${kept}. Give it back at the company's desk, then settle the payment as failed.`,
  )
}
