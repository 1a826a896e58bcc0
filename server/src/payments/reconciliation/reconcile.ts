import { addMs } from '../../kit/clock.ts'
import { type Account, listAccountsWithCredentials } from '../accounts/accounts.ts'
import { findAttemptKey, findAttemptKeyByReference, listResellerIds } from './review-queue.queries.ts'
import { type Discrepancy, findDiscrepancies, type OurPayment } from './discrepancies.rules.ts'
import {
  type ComparedAccount,
  closeResolvedDiscrepancies,
  listDismissedDiscrepancies,
  upsertDiscrepancy,
  listNumbersOfOtherAccounts,
  listPaymentsByReferences,
  listSentPayments,
} from './discrepancies.queries.ts'
import { lookUpReturned } from './returned-payments.ts'
import { fetchResult, lookUpAttempt } from '../engine/look-up.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { ProviderPayment } from '../providers/charge-result.ts'

/** The comparison of a reseller's ledger with the list of one of its accounts. */
interface Reconciliation {
  readonly provider: string
  readonly accountId: number
  readonly from: Date
  readonly to: Date
  /** How many of our payments and of the provider's were compared. */
  readonly ours: number
  readonly theirs: number
  readonly discrepancies: readonly ReconciledDiscrepancy[]
}

/** An account that could not be compared. */
interface FailedReconciliation {
  readonly provider: string
  readonly accountId: number
  /** Why, as the provider says it. */
  readonly error: unknown
}

/** What became of a reseller's accounts. One that fails, such as a former one whose key is revoked, does not stop the others. */
export interface Reconciliations {
  readonly reconciled: readonly Reconciliation[]
  readonly failed: readonly FailedReconciliation[]
}

interface ReconciledDiscrepancy extends Discrepancy {
  /** A look-up has settled it. */
  readonly isResolved: boolean
  /** An operator dismissed it with these amounts. */
  readonly isDismissed: boolean
}

/** Payments of the last hour may still be in progress, and the provider's list may lag. */
const MIN_AGE_MS = 3_600_000
/** The instant before which payments are compared: later ones may still be in progress. */
export const reconciledUntil = (now: Date): Date => addMs(now, -MIN_AGE_MS)
/** The provider dates a payment at its creation, a little after we do. */
const CLOCK_TOLERANCE_MS = 600_000
const DAY_MS = 86_400_000

/**
 * Compares a reseller's ledger with the list of each of its accounts, the former ones too. Returned and differing payments are looked up
 * first, which settles them; what still differs is stored for review.
 * @param returnedDays how far back returned debits are read at least; what was never read is read all the same
 */
export const reconcile = async (deps: PaymentsDeps, resellerId: number, days: number, returnedDays = days): Promise<Reconciliations> => {
  const [reconciled, failed]: [Reconciliation[], FailedReconciliation[]] = [[], []]
  for (const account of await listAccountsWithCredentials(deps, resellerId))
    try {
      await lookUpReturned(deps, account, addMs(deps.clock(), -returnedDays * DAY_MS))
      const reconciliation = await reconcileAccount(deps, account, days)
      if (reconciliation !== null) reconciled.push(reconciliation)
    } catch (error) {
      failed.push({ provider: account.provider.name, accountId: account.id, error })
    }
  return { reconciled, failed }
}

const NOT_COMPARED = 'the ledger could not be compared with the list of the provider'

/** How far the daily comparison goes back: refunds and returned debits appear within a month. */
export const DEFAULT_DAYS = 35

/** Compares every reseller's ledger and stores what differs; an account that does not answer is logged and does not stop the others. */
export const reconcileAll = async (deps: PaymentsDeps): Promise<void> => {
  for (const resellerId of await deps.store.transact({ role: 'counterfoil_system' }, listResellerIds))
    try {
      const { reconciled, failed } = await reconcile(deps, resellerId, DEFAULT_DAYS, 0)
      for (const { provider, accountId, ours, theirs, discrepancies } of reconciled)
        deps.log.info(
          { resellerId, provider, accountId, ours, theirs, discrepancies: discrepancies.length },
          'the ledger was compared with the list of the provider',
        )
      for (const { provider, accountId, error } of failed) deps.log.error({ err: error, resellerId, provider, accountId }, NOT_COMPARED)
    } catch (error) {
      deps.log.error({ err: error, resellerId }, NOT_COMPARED)
    }
}

/**
 * Compares the ledger with the list of one account: differing payments are looked up, which settles them, and what still differs is stored.
 * Null where the provider lists no payments.
 * @throws Error when the provider cannot be asked
 */
const reconcileAccount = async (deps: PaymentsDeps, account: Account, days: number): Promise<Reconciliation | null> => {
  if (account.provider.listPayments === undefined) return null
  const { resellerId, id: accountId } = account
  const compared: ComparedAccount = { resellerId, accountId, provider: account.provider.name }
  const now = deps.clock()
  const [from, to] = [addMs(now, -days * DAY_MS), addMs(now, -MIN_AGE_MS)]
  const listed: ProviderPayment[] = []
  for await (const payment of account.provider.listPayments(
    account.context,
    addMs(from, -CLOCK_TOLERANCE_MS),
    addMs(to, CLOCK_TOLERANCE_MS),
  ))
    listed.push(payment)
  const theirs = await withoutOtherAccounts(deps, compared, listed)
  const before = await listOurPayments(deps, compared, { from, to, theirs })
  const found = findDiscrepancies(before, theirs)
  const refreshed = [...theirs]
  for (const payment of before.filter(({ attemptId }) => found.some((discrepancy) => discrepancy.attemptId === attemptId)))
    replacePayment(refreshed, await refreshPayment(deps, payment))
  const after = await listOurPayments(deps, compared, { from, to, theirs })
  const discrepancies: Omit<ReconciledDiscrepancy, 'isDismissed'>[] = []
  for (const { isResolved, ...discrepancy } of splitByResolution(found, findDiscrepancies(after, refreshed)))
    discrepancies.push({ ...(await attributeToReseller(deps, compared, discrepancy)), isResolved })
  const merchantReferences = [
    ...after.map(({ merchantReference }) => merchantReference),
    ...theirs.flatMap(({ merchantReference }) => merchantReference ?? []),
  ]
  const dismissed = await transactAsReseller(
    deps,
    resellerId,
    async (db) => {
      for (const discrepancy of discrepancies)
        await upsertDiscrepancy(db, compared, discrepancy, { now, isResolved: discrepancy.isResolved })
      await closeResolvedDiscrepancies(db, compared, { merchantReferences, found: discrepancies.map(discrepancyKey) }, now)
      return listDismissedDiscrepancies(db, compared)
    },
    { pool: 'background' },
  )
  const reconciled = discrepancies.map((discrepancy) => ({ ...discrepancy, isDismissed: dismissed.has(discrepancyKey(discrepancy)) }))
  for (const { isResolved, isDismissed, merchantReference, kind } of reconciled)
    if (!isResolved && !isDismissed)
      deps.log.error({ ...compared, merchantReference, kind }, 'the ledger and the list of the provider do not agree')
  return { provider: compared.provider, accountId, from, to, ours: before.length, theirs: theirs.length, discrepancies: reconciled }
}

/** The listed payments that were not made at another account of the reseller: those are compared where they were made. */
const withoutOtherAccounts = async (
  deps: PaymentsDeps,
  account: ComparedAccount,
  listed: readonly ProviderPayment[],
): Promise<ProviderPayment[]> => {
  const numbers = listed.flatMap(({ merchantReference, providerRef }) => (merchantReference === null ? [] : [providerRef]))
  const known = await transactAsReseller(deps, account.resellerId, (db) => listNumbersOfOtherAccounts(db, account, numbers), {
    pool: 'background',
  })
  return listed.filter(({ merchantReference, providerRef }) => !known.has(`${merchantReference ?? ''} ${providerRef}`))
}

/** What tells a discrepancy from others of its account: the provider's reference and the kind. */
const discrepancyKey = ({ providerRef, kind }: Discrepancy): string => `${providerRef} ${kind}`

/** Which discrepancies a look-up resolved and which remain. A payment that now differs in another way is not resolved. */
const splitByResolution = (found: readonly Discrepancy[], remaining: readonly Discrepancy[]): (Discrepancy & { isResolved: boolean })[] => {
  const [foundKeys, remainingKeys] = [new Set(found.map(discrepancyKey)), new Set(remaining.map(discrepancyKey))]
  const changedRefs = new Set(remaining.flatMap((one) => (foundKeys.has(discrepancyKey(one)) ? [] : [one.merchantReference])))
  const resolved = found.filter((one) => !remainingKeys.has(discrepancyKey(one)) && !changedRefs.has(one.merchantReference))
  return [...resolved.map((one) => ({ ...one, isResolved: true })), ...remaining.map((one) => ({ ...one, isResolved: false }))]
}

/** Our payments of the span, and those that the provider lists for it although we sent them slightly outside. */
const listOurPayments = (
  deps: PaymentsDeps,
  { resellerId, accountId }: ComparedAccount,
  { from, to, theirs }: { from: Date; to: Date; theirs: readonly ProviderPayment[] },
): Promise<OurPayment[]> =>
  transactAsReseller(
    deps,
    resellerId,
    async (db) => {
      const sent = await listSentPayments(db, accountId, from, to)
      const known = new Set(sent.map(({ merchantReference }) => merchantReference))
      const missingRefs = theirs.flatMap(({ merchantReference }) =>
        merchantReference !== null && !known.has(merchantReference) ? [merchantReference] : [],
      )
      return [...sent, ...(missingRefs.length === 0 ? [] : await listPaymentsByReferences(db, accountId, missingRefs))]
    },
    { pool: 'background' },
  )

/**
 * Looks up a payment that differs, which settles it.
 * @returns the provider's current view, since the list may be older than our ledger; null where it cannot be found out
 */
const refreshPayment = async (deps: PaymentsDeps, payment: OurPayment): Promise<ProviderPayment | null> => {
  try {
    const key = await deps.store.transact({ role: 'counterfoil_system' }, (db) => findAttemptKey(db, payment.attemptId))
    if (key === undefined) return null
    const attempt = await lookUpAttempt(deps, key, 'webhook')
    const result = await fetchResult(deps, attempt)
    const { merchantReference, providerRef } = attempt
    return result.state === 'unknown' || providerRef === null ? null : { merchantReference, providerRef, result }
  } catch (error) {
    deps.log.error({ err: error, attemptId: payment.attemptId }, 'a differing payment could not be looked up')
    return null
  }
}

/** Puts a payment into the list, in the place of one with the same provider's reference; null changes nothing. */
const replacePayment = (list: ProviderPayment[], payment: ProviderPayment | null): void => {
  if (payment === null) return
  const at = list.findIndex(({ providerRef }) => providerRef === payment.providerRef)
  if (at < 0) list.push(payment)
  else list[at] = payment
}

/** A discrepancy that is unknown here, as another reseller’s where that one has a payment of this reference; any other as it is. */
const attributeToReseller = async (
  deps: PaymentsDeps,
  { resellerId, provider }: ComparedAccount,
  discrepancy: Discrepancy,
): Promise<Discrepancy> => {
  if (discrepancy.kind !== 'missing-here') return discrepancy
  const key = await deps.store.transact({ role: 'counterfoil_system' }, (db) =>
    findAttemptKeyByReference(db, provider, discrepancy.merchantReference),
  )
  return key === undefined || key.resellerId === resellerId ? discrepancy : { ...discrepancy, kind: 'other-reseller' }
}
