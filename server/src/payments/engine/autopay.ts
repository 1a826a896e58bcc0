import { randomUUID } from 'node:crypto'
import PQueue from 'p-queue'
import { addMs } from '../../kit/clock.ts'
import { ApiError } from '../../kit/api-error.ts'
import { newSecret } from '../../session/tokens.ts'
import { findAccount, requireAccount } from '../accounts/accounts.ts'
import { readPaymentSettings } from '../accounts/account-settings.queries.ts'
import { isLive } from '../attempts/attempt.ts'
import { type DueBundle, insertAutopayIntent, listDueBundles, listUncharged, type UnchargedInvoices } from './autopay.queries.ts'
import { chargeIntent } from './charge.ts'
import { chargeRulesOf, type ChargeRules, notChargeableText } from '../accounts/chargeable.rules.ts'
import { NOT_ALLOWED_REASON } from './claim.ts'
import { listFeeRules } from './claim.queries.ts'
import { applicableFeeRules, paymentFee, type ProviderFeeRule } from '../accounts/fees.rules.ts'
import { cancelAttempt } from './look-up.ts'
import { queryAsReseller, transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { Attempt } from '../attempts/attempt.queries.ts'
import { createSubmission } from '../attempts/submission.ts'
import { CONSENT_WITHDRAWN_TEXT } from './submit-charge.ts'

/** What a run did with one customer's due invoices in one currency. */
export interface AutopayResult {
  readonly customerId: number
  readonly currency: string
  /** Without the fee. */
  readonly amountMinor: number
  /** What paying by the default method adds; null where nothing would be charged. */
  readonly feeMinor: number | null
  readonly invoices: readonly string[]
  /** `due`: a dry run would charge it. `skipped`: not tried, for `reason`. `failed`: tried, and nothing was charged. */
  readonly outcome: 'due' | 'paid' | 'processing' | 'failed' | 'skipped'
  readonly attemptId: string | null
  readonly reason: string | null
}

interface AutopayRun {
  readonly isDry: boolean
  /** Called once, before anything is charged, with what is due and is left alone. */
  readonly onUncharged: (uncharged: readonly UnchargedInvoices[]) => void
  readonly onResult: (pending: AutopayResult) => void
}

const PAGE_SIZE = 200
const CONCURRENCY = { embedded: 2, postgres: 4 } as const
const INTENT_MS = 3_600_000

/**
 * Charges the due invoices of a reseller's customers to their default methods, each invoice once a day; a dry run only tells what would be
 * charged. Nobody is charged before somebody has chosen whether customers must give permission.
 * @returns what became of the run: `no-payments` where the reseller takes none
 */
export const runAutopay = async (
  deps: PaymentsDeps,
  resellerId: number,
  { isDry, onUncharged, onResult }: AutopayRun,
): Promise<'done' | 'no-payments' | 'not-chosen'> => {
  const { isEnabled, askPermission } = await queryAsReseller(deps, resellerId, (db) => readPaymentSettings(db, resellerId))
  const account = isEnabled ? await findAccount(deps, resellerId) : null
  if (account === null) return 'no-payments'
  if (askPermission === null) return 'not-chosen'
  const day = deps.clock().toISOString().slice(0, 10)
  const feeRules = applicableFeeRules(
    await queryAsReseller(deps, resellerId, (db) => listFeeRules(db, resellerId)),
    account.provider.amounts,
  )
  const skipReason = skipReasonFor(chargeRulesOf(account), feeRules)
  onUncharged(await transactAsReseller(deps, resellerId, (db) => listUncharged(db, resellerId, day), { pool: 'background' }))
  const queue = new PQueue({ concurrency: CONCURRENCY[deps.store.kind] })
  let after = { customerId: 0, currency: '' }
  for (;;) {
    const page = { accountId: account.id, day, after, limit: PAGE_SIZE }
    const bundles = await transactAsReseller(deps, resellerId, (db) => listDueBundles(db, page), { pool: 'background' })
    const last = bundles.at(-1)
    if (last === undefined) return 'done'
    after = last
    const charge = async (bundle: DueBundle): Promise<void> =>
      onResult(isDry ? plannedResult(bundle, skipReason(bundle), feeRules) : await chargeBundle(deps, { bundle, day, skipReason }))
    await queue.addAll(bundles.map((bundle) => () => charge(bundle)))
  }
}

type BundleOutcome = Pick<AutopayResult, 'outcome' | 'attemptId' | 'reason' | 'feeMinor'>

/** What is due of a customer's invoices, without a fee, in minor units. */
const sumDue = ({ invoices }: DueBundle): number => invoices.reduce((sum, { dueMinor }) => sum + dueMinor, 0)

/** What a run tells of a customer's due invoices, from an outcome. */
const toResult = (bundle: DueBundle, outcome: BundleOutcome): AutopayResult => ({
  customerId: bundle.customerId,
  currency: bundle.currency,
  amountMinor: sumDue(bundle),
  invoices: bundle.invoices.map(({ number }) => number),
  ...outcome,
})

/** The outcome of a customer's invoices that are not charged, with the reason. */
const skippedOutcome = (reason: string): BundleOutcome => ({ outcome: 'skipped', attemptId: null, reason, feeMinor: null })

type SkipReason = (bundle: DueBundle) => string | null

/** What paying by the default method adds, in minor units. */
const feeMinorOf = (bundle: DueBundle, feeRules: readonly ProviderFeeRule[]): number =>
  paymentFee(sumDue(bundle), bundle.currency, bundle.method?.kind === 'bank', feeRules)?.minor ?? 0

/** A function that says, in words, why a customer's due invoices are not charged at this account; null where they can be. */
const skipReasonFor =
  (chargeRules: ChargeRules, feeRules: readonly ProviderFeeRule[]): SkipReason =>
  (bundle) => {
    const { method, currency } = bundle
    if (method === null) return 'no default method'
    if (method.status !== 'ready') return 'the default method is not confirmed yet'
    const amountMinor = sumDue(bundle) + feeMinorOf(bundle, feeRules)
    return notChargeableText({ amountMinor, currency, isDebit: method.kind === 'bank' }, chargeRules)
  }

/** What a dry run tells of a customer's invoices: charges and writes nothing. */
const plannedResult = (bundle: DueBundle, reason: string | null, feeRules: readonly ProviderFeeRule[]): AutopayResult =>
  toResult(
    bundle,
    reason === null ? { outcome: 'due', attemptId: null, reason, feeMinor: feeMinorOf(bundle, feeRules) } : skippedOutcome(reason),
  )

/**
 * Charges a customer's due invoices in one currency to the default method, by an intent of their own. Never throws; a payment that waits
 * for a payer is canceled, since none is present.
 */
const chargeBundle = async (
  deps: PaymentsDeps,
  { bundle, day, skipReason }: { readonly bundle: DueBundle; readonly day: string; readonly skipReason: SkipReason },
): Promise<AutopayResult> => {
  const { method, customerId, resellerId, currency, invoices, notSent } = bundle
  const reason = skipReason(bundle)
  if (reason !== null || method === null) return toResult(bundle, skippedOutcome(reason ?? 'no default method'))
  const [id, now] = [randomUUID(), deps.clock()]
  const intent = { id, resellerId, sessionId: newSecret(), createdAt: now, expiresAt: addMs(now, INTENT_MS) }
  // Two runs on the same day submit the same key for the same invoices, so the second gets the result of the first.
  const submissionName = `${customerId} ${currency} ${day} ${notSent} ${invoices.map((invoice) => invoice.id).join(',')}`
  try {
    // A long run must not go on with settings of its beginning.
    const account = await requireAccount(deps, resellerId)
    await transactAsReseller(deps, resellerId, (db) => insertAutopayIntent(db, bundle, intent))
    const attempt = await chargeIntent(deps, account, bundle, {
      intentId: id,
      source: { method },
      methodId: method.id,
      methodType: method.type,
      isDebit: method.kind === 'bank',
      submission: createSubmission(deps.keys, 'autopay', submissionName, method.token),
      receiptEmail: null,
      shownMinor: null,
      returnUrl: null,
      client: null,
    })
    if (attempt.intentId !== id) return toResult(bundle, { ...skippedOutcome('another run is at it'), attemptId: attempt.id })
    // No payer is present who could confirm.
    return toResult(bundle, toOutcome(attempt.status === 'requires_action' ? await cancelAttempt(deps, attempt) : attempt))
  } catch (error) {
    if (error instanceof ApiError) return toResult(bundle, skippedOutcome(error.message))
    deps.log.error({ err: error, customerId, resellerId }, 'an autopay charge failed')
    return toResult(bundle, skippedOutcome('it failed; the log says why'))
  }
}

/**
 * What a run tells of an attempt. One that the provider refused without a word against the card is skipped, so that the next run tries
 * again.
 */
const toOutcome = ({ id: attemptId, status, isBooked, declineReason, userMessage, feeMinor }: Attempt): BundleOutcome => {
  if (isBooked) return { outcome: 'paid', attemptId, reason: null, feeMinor }
  if (isLive(status)) return { outcome: 'processing', attemptId, reason: status === 'processing' ? null : status, feeMinor }
  // The same reason, whether the consent was withdrawn before the claim or after it.
  if (userMessage === CONSENT_WITHDRAWN_TEXT) return { ...skippedOutcome(NOT_ALLOWED_REASON), attemptId }
  // The provider has refused it without a word against the card: the next run tries again.
  if (status === 'not_sent' && userMessage !== null) return { ...skippedOutcome(userMessage), attemptId }
  return { outcome: 'failed', attemptId, reason: declineReason ?? status, feeMinor }
}
