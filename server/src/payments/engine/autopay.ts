import { randomUUID } from 'node:crypto'
import { later } from '../../kit/clock.ts'
import { ApiError } from '../../kit/api-error.ts'
import { newSecret } from '../../session/tokens.ts'
import { type Account, accountOf, resellerPays } from '../accounts/accounts.ts'
import { hasPaid, isLive } from './attempt.ts'
import { type DueBundle, dueBundles, insertAutopayIntent } from './autopay.queries.ts'
import { charge } from './charge.ts'
import { giveUp } from './look-up.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { Attempt } from './settle.queries.ts'
import { submission } from './submission.ts'

/** What a run did about what one customer owes in one currency. */
export interface AutopayLine {
  readonly customerId: number
  readonly currency: string
  readonly amountMinor: number
  readonly invoices: readonly string[]
  /** `due`: a dry run would charge it. `skipped`: nothing was tried, for `reason`. `failed`: it was tried, and nothing was charged. */
  readonly outcome: 'due' | 'paid' | 'processing' | 'failed' | 'skipped'
  readonly attemptId: string | null
  readonly reason: string | null
}

const PAGE = 200
const AT_ONCE = { embedded: 2, postgres: 4 } as const
const INTENT_MS = 3_600_000

/**
 * Charges what is due of a reseller's customers by their default methods, through the same engine as every other payment: an invoice that
 * somebody else pays in the same moment is refused there. What was tried on a day is not tried again on it.
 * @returns false where the reseller takes no payments
 */
export const runAutopay = async (
  deps: PaymentsDeps,
  resellerId: number,
  { isDry, tell }: { isDry: boolean; tell: (line: AutopayLine) => void },
): Promise<boolean> => {
  const { isEnabled } = await resellerPays(deps, resellerId)
  const account = isEnabled ? await accountOf(deps, resellerId) : null
  if (account === null) return false
  const day = deps.clock().toISOString().slice(0, 10)
  let after = { customerId: 0, currency: '' }
  for (;;) {
    const asked = { provider: account.provider.name, day, after, most: PAGE }
    const bundles = await transactAsReseller(deps, resellerId, (db) => dueBundles(db, asked), 'background')
    const last = bundles.at(-1)
    if (last === undefined) return true
    after = last
    const line = [...bundles]
    const worker = async (): Promise<void> => {
      for (let next = line.shift(); next !== undefined; next = line.shift())
        tell(isDry ? planned(next) : await chargeBundle(deps, account, next, day))
    }
    await Promise.all(Array.from({ length: AT_ONCE[deps.store.kind] }, worker))
  }
}

type Outcome = Pick<AutopayLine, 'outcome' | 'attemptId' | 'reason'>

const lineOf = ({ customerId, currency, invoices }: DueBundle, outcome: Outcome): AutopayLine => ({
  customerId,
  currency,
  amountMinor: invoices.reduce((sum, { dueMinor }) => sum + dueMinor, 0),
  invoices: invoices.map(({ number }) => number),
  ...outcome,
})

const skipped = (reason: string): Outcome => ({ outcome: 'skipped', attemptId: null, reason })

const obstacle = ({ method }: DueBundle): Outcome | null => {
  if (method === null) return skipped('no default method')
  return method.status === 'ready' ? null : skipped('the default method is not confirmed yet')
}

const planned = (bundle: DueBundle): AutopayLine => lineOf(bundle, obstacle(bundle) ?? { outcome: 'due', attemptId: null, reason: null })

const chargeBundle = async (deps: PaymentsDeps, account: Account, bundle: DueBundle, day: string): Promise<AutopayLine> => {
  const { method, customerId, currency, invoices, notSent } = bundle
  const hindered = obstacle(bundle)
  if (hindered !== null || method === null) return lineOf(bundle, hindered ?? skipped('no default method'))
  const { resellerId } = account
  const [id, now] = [randomUUID(), deps.clock()]
  const intent = { id, resellerId, sessionId: newSecret(), createdAt: now, expiresAt: later(now, INTENT_MS) }
  // Two runs that found the same on the same day ask for the same payment, and get the same answer.
  const wish = `${customerId} ${currency} ${day} ${notSent} ${invoices.map((invoice) => invoice.id).join(',')}`
  try {
    await transactAsReseller(deps, resellerId, (db) => insertAutopayIntent(db, bundle, intent))
    const attempt = await charge(
      deps,
      account,
      { resellerId, customerId },
      {
        intentId: id,
        source: { token: method.token },
        methodId: method.id,
        methodType: method.type,
        isDebit: method.kind === 'bank',
        submission: submission(deps.keys, 'autopay', wish, method.token),
        receiptEmail: null,
        returnUrl: null,
        payer: null,
      },
    )
    if (attempt.intentId !== id) return lineOf(bundle, { ...skipped('another run is at it'), attemptId: attempt.id })
    // Nobody sits there who could confirm anything.
    return lineOf(bundle, outcomeOf(attempt.status === 'action' ? await giveUp(deps, attempt) : attempt))
  } catch (error) {
    if (error instanceof ApiError) return lineOf(bundle, skipped(error.message))
    deps.log.error({ err: error, customerId, resellerId }, 'a charge of autopay broke off')
    return lineOf(bundle, skipped('it broke off; the log says why'))
  }
}

const outcomeOf = ({ id, status, declineReason }: Attempt): Outcome => {
  if (hasPaid(status)) return { outcome: 'paid', attemptId: id, reason: null }
  if (isLive(status)) return { outcome: 'processing', attemptId: id, reason: status === 'processing' ? null : status }
  return { outcome: 'failed', attemptId: id, reason: declineReason ?? status }
}
