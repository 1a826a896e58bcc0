import { addMs } from '../../kit/clock.ts'
import type { Transact } from '../../http/request-context.ts'
import type { AnyProvider } from '../../payments/providers/provider.ts'
import { hasChanged } from '../../payments/engine/claim.ts'
import { applicableFeeRules, parseShownTotal, waysTotal } from '../../payments/engine/fees.rules.ts'
import type { LinkedInvoice } from '../../payments/payment-link.queries.ts'
import { type LinkDetails, listLinkFeeRules } from './invoice-payment.queries.ts'
import { type LinkTotal, listLinkTotals, markTotalsRejected, upsertLinkTotal } from './link-totals.queries.ts'

type Db = Parameters<typeof listLinkTotals>[0]

/** How long a page that has shown a total may still be open. */
const SHOWN_MS = 24 * 3_600_000
/** How often it is noted that the same total is still shown. */
const NOTE_MS = 3_600_000

const linkTotal = async (db: Db, link: LinkedInvoice, { dueMinor, currency }: LinkDetails, provider: AnyProvider | undefined) => {
  const rules = applicableFeeRules(await listLinkFeeRules(db, link), provider ?? {})
  return { dueMinor, ...waysTotal(dueMinor, currency, rules) }
}

const isSameTotal = (one: LinkTotal, other: LinkTotal): boolean =>
  one.dueMinor === other.dueMinor && one.cardMinor === other.cardMinor && one.bankMinor === other.bankMinor

/** Remembers what the page of a link shows, so that whoever pays another total is told. */
export const recordLinkTotal = async (
  db: Db,
  link: LinkedInvoice,
  details: LinkDetails,
  provider: AnyProvider | undefined,
  now: Date,
): Promise<void> => {
  if (!details.isEnabled || details.dueMinor <= 0) return
  const since = addMs(now, -SHOWN_MS)
  const shown = await linkTotal(db, link, details, provider)
  const earlier = await listLinkTotals(db, link, since)
  const isNoted = earlier.some((total) => isSameTotal(total, shown) && total.shownAt > addMs(now, -NOTE_MS))
  if (!isNoted || earlier.some(({ rejectedAt }) => rejectedAt !== null)) await upsertLinkTotal(db, link, shown, { now, since })
}

interface ShownLink {
  readonly details: LinkDetails
  readonly provider: AnyProvider
  readonly isDebit: boolean
  /** What the browser says that it has shown. */
  readonly shownTotal: string | number | undefined
  readonly changedText: string
  readonly now: Date
}

/**
 * Compares what the payer of a link was shown with what would be charged. A browser that does not say what it has shown may have shown
 * whatever the link's page did, so all of it must be today's; the page must be read again before another try.
 * @returns the total that was shown, in minor units
 * @throws ApiError 409 for another total, 400 for what is no amount
 */
export const requireShownTotal = async (
  transact: Transact,
  link: LinkedInvoice,
  { details, provider, isDebit, shownTotal, changedText, now }: ShownLink,
): Promise<number> => {
  const way = isDebit ? 'bankMinor' : 'cardMinor'
  const sentMinor = parseShownTotal(shownTotal, details.currency)
  const { hasOtherTotal, currentMinor } = await transact(async (db) => {
    const current = await linkTotal(db, link, details, provider)
    if (sentMinor !== undefined) return { hasOtherTotal: sentMinor !== current[way], currentMinor: current[way] }
    const shown = await listLinkTotals(db, link, addMs(now, -SHOWN_MS))
    const hasOtherTotal = shown.some((total) => total.dueMinor === current.dueMinor && total[way] !== current[way])
    if (hasOtherTotal) await markTotalsRejected(db, link, current.dueMinor, now)
    return { hasOtherTotal, currentMinor: current[way] }
  })
  if (hasOtherTotal) throw hasChanged(changedText)
  return currentMinor
}
