import { later } from '../../kit/clock.ts'
import { accountOf } from '../accounts/accounts.ts'
import { keyOfAttempt, resellerIds } from './review-queue.queries.ts'
import { type Discrepancy, findDiscrepancies, type OurPayment } from './discrepancies.rules.ts'
import { accountProviders, closeAgreed, dismissedDrifts, noteDrift, paymentsOfIds, paymentsSent } from './discrepancies.queries.ts'
import { askCompany, lookUp } from '../engine/look-up.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { BookedPayment } from '../providers/provider.ts'

/** What comparing a reseller's book with one company's list has found. */
export interface Reconciliation {
  readonly provider: string
  readonly from: Date
  readonly to: Date
  /** How many of our payments, and how many of the company's, were compared. */
  readonly ours: number
  readonly theirs: number
  readonly drifts: readonly FoundDrift[]
}

interface FoundDrift extends Discrepancy {
  /** The look-up has written what was missing. */
  readonly isMended: boolean
  /** A person has looked at it before, just as it is. */
  readonly isDismissed: boolean
}

/** What was sent within the last hour may still be on its way, and the company's list may lag behind. */
const FRESH_MS = 3_600_000
/** The company dates a payment when it is made known, which is a little after we note it. */
const SLACK_MS = 600_000
const DAY_MS = 86_400_000
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Compares what a reseller has booked with the list of each company where it has an account. What differs is looked up first, which
 * writes what the company says; what still differs then is kept for a person.
 */
export const reconcile = async (deps: PaymentsDeps, resellerId: number, days: number): Promise<Reconciliation[]> => {
  const done: Reconciliation[] = []
  for (const provider of await transactAsReseller(deps, resellerId, (db) => accountProviders(db, resellerId), 'background')) {
    const one = await reconcileAt(deps, resellerId, provider, days)
    if (one !== null) done.push(one)
  }
  return done
}

/** How far back the daily comparison goes: refunds and returned debits of a month still turn up. */
export const USUAL_DAYS = 35

/** The daily comparison of every reseller; one whose company cannot be asked does not keep the others from theirs. */
export const reconcileAll = async (deps: PaymentsDeps): Promise<void> => {
  for (const resellerId of await deps.store.transact({ role: 'counterfoil_system' }, resellerIds))
    try {
      for (const { provider, ours, theirs, drifts } of await reconcile(deps, resellerId, USUAL_DAYS))
        deps.log.info({ resellerId, provider, ours, theirs, drifts: drifts.length }, 'the book was compared with the company’s list')
    } catch (error) {
      deps.log.error({ err: error, resellerId }, 'the book could not be compared with the company’s list')
    }
}

const reconcileAt = async (deps: PaymentsDeps, resellerId: number, provider: string, days: number): Promise<Reconciliation | null> => {
  const account = await accountOf(deps, resellerId, provider)
  if (account?.provider.list === undefined) return null
  const now = deps.clock()
  const [from, to] = [later(now, -days * DAY_MS), later(now, -FRESH_MS)]
  const theirs: BookedPayment[] = []
  for await (const one of account.provider.list(account.call, later(from, -SLACK_MS), later(to, SLACK_MS))) theirs.push(one)
  const before = await ourSide(deps, resellerId, provider, { from, to, theirs })
  const found = findDiscrepancies(before, theirs)
  const fresh = [...theirs]
  for (const one of before.filter(({ attemptId }) => found.some((drift) => drift.attemptId === attemptId)))
    putFresh(fresh, await mended(deps, resellerId, one))
  const after = await ourSide(deps, resellerId, provider, { from, to, theirs })
  const drifts: Omit<FoundDrift, 'isDismissed'>[] = []
  for (const { isMended, ...drift } of afterLookUp(found, findDiscrepancies(after, fresh)))
    drifts.push({ ...(await placed(deps, resellerId, drift)), isMended })
  const attemptIds = [
    ...after.map(({ attemptId }) => attemptId),
    ...theirs.flatMap(({ attemptId }) => (isId(attemptId) ? [attemptId] : [])),
  ]
  const dismissed = await transactAsReseller(
    deps,
    resellerId,
    async (db) => {
      for (const drift of drifts) await noteDrift(db, { resellerId, provider }, drift, { now, isMended: drift.isMended })
      await closeAgreed(db, { resellerId, provider }, { attemptIds, found: drifts.map(nameOf) }, now)
      return dismissedDrifts(db, { resellerId, provider })
    },
    'background',
  )
  const judged = drifts.map((drift) => ({ ...drift, isDismissed: dismissed.has(nameOf(drift)) }))
  for (const { isMended, isDismissed, attemptId, kind } of judged)
    if (!isMended && !isDismissed) deps.log.error({ resellerId, provider, attemptId, kind }, 'the book and the company’s list do not agree')
  return { provider, from, to, ours: before.length, theirs: theirs.length, drifts: judged }
}

const nameOf = ({ providerRef, kind }: Discrepancy): string => `${providerRef} ${kind}`

/** What a look-up has mended, and what is left; one that differs in another way since is left in that way, and not mended. */
const afterLookUp = (found: readonly Discrepancy[], left: readonly Discrepancy[]): (Discrepancy & { isMended: boolean })[] => {
  const [foundNames, leftNames] = [new Set(found.map(nameOf)), new Set(left.map(nameOf))]
  const changed = new Set(left.flatMap((one) => (foundNames.has(nameOf(one)) ? [] : [one.attemptId])))
  const mended = found.filter((one) => !leftNames.has(nameOf(one)) && !changed.has(one.attemptId))
  return [...mended.map((one) => ({ ...one, isMended: true })), ...left.map((one) => ({ ...one, isMended: false }))]
}

const isId = (text: string | null): text is string => text !== null && UUID.test(text)

/** Our payments of the span, and those that the company lists for it though we sent them a little before or after. */
const ourSide = (
  deps: PaymentsDeps,
  resellerId: number,
  provider: string,
  { from, to, theirs }: { from: Date; to: Date; theirs: readonly BookedPayment[] },
): Promise<OurPayment[]> =>
  transactAsReseller(
    deps,
    resellerId,
    async (db) => {
      const sent = await paymentsSent(db, resellerId, provider, from, to)
      const known = new Set(sent.map(({ attemptId }) => attemptId))
      const others = theirs.flatMap(({ attemptId }) => (isId(attemptId) && !known.has(attemptId) ? [attemptId] : []))
      return [...sent, ...(others.length === 0 ? [] : await paymentsOfIds(db, resellerId, provider, others))]
    },
    'background',
  )

/** Looks a payment up that differs, which writes what the company says; gives what it says now, for the list may be older than our book. */
const mended = async (deps: PaymentsDeps, resellerId: number, one: OurPayment): Promise<BookedPayment | null> => {
  try {
    const attempt = await lookUp(deps, { resellerId, customerId: one.customerId, id: one.attemptId }, 'notice')
    const result = await askCompany(deps, attempt)
    const { id: attemptId, providerRef } = attempt
    return result.state === 'unknown' || providerRef === null ? null : { attemptId, providerRef, result }
  } catch (error) {
    deps.log.error({ err: error, attemptId: one.attemptId }, 'a payment that differs could not be looked up')
    return null
  }
}

const putFresh = (list: BookedPayment[], one: BookedPayment | null): void => {
  if (one === null) return
  const at = list.findIndex(({ providerRef }) => providerRef === one.providerRef)
  if (at < 0) list.push(one)
  else list[at] = one
}

/** Whose payment a stranger is, where this installation knows it. */
const placed = async (deps: PaymentsDeps, resellerId: number, drift: Discrepancy): Promise<Discrepancy> => {
  if (drift.kind !== 'missing-here' || !isId(drift.attemptId)) return drift
  const { attemptId } = drift
  const key = await deps.store.transact({ role: 'counterfoil_system' }, (db) => keyOfAttempt(db, attemptId))
  return key === undefined || key.resellerId === resellerId ? drift : { ...drift, kind: 'other-reseller' }
}
