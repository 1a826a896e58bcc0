import { addMs } from '../../kit/clock.ts'
import type { RequestInfo } from '../../session/request-info.ts'
import type { Transact } from '../../db/transact.ts'
import type { PaymentProvider } from '../../payments/providers/provider.ts'
import { hasChanged } from '../../payments/engine/claim.ts'
import { applicableFeeRules, parseShownTotal, waysTotal } from '../../payments/accounts/fees.rules.ts'
import type { LinkedInvoice } from '../../payments/payment-link.queries.ts'
import { type LinkDetails, listLinkFeeRules } from './invoice-payment.queries.ts'
import { forgetRejectedPage, type LinkTotal, listLinkTotals, markTotalRejected, recordShownTotal } from './link-totals.queries.ts'

type Db = Parameters<typeof listLinkTotals>[0]

/** How long a page that has shown a total may still be open. */
const SHOWN_MS = 24 * 3_600_000
/** How often it is noted that the same total is still shown to browsers that are known. */
const NOTE_MS = 3_600_000
/** What the page of a link has shown this browser last. Not signed: whoever writes it says what they were shown, as by `shownTotal`. */
const SHOWN_COOKIE = 'counterfoil-shown'

type Cookies = Pick<RequestInfo, 'cookie' | 'setCookie'>

/** What the page of a link shows now: the amount due, and the total with fees by card and by bank. */
const linkTotal = async (db: Db, link: LinkedInvoice, { dueMinor, currency }: LinkDetails, provider: PaymentProvider | undefined) => {
  const rules = applicableFeeRules(await listLinkFeeRules(db, link), provider?.amounts)
  return { dueMinor, ...waysTotal(dueMinor, currency, rules) }
}

/** Whether two totals have the same amount due and come to the same by card and by bank. */
const isSameTotal = (one: LinkTotal, other: LinkTotal): boolean =>
  one.dueMinor === other.dueMinor && one.cardMinor === other.cardMinor && one.bankMinor === other.bankMinor

/** Stores in the browser's cookie what the page of a link shows. The cookie holds one link: the last. */
const setShownCookie = (requestInfo: Cookies, { customerId, invoiceId }: LinkedInvoice, total: LinkTotal): void =>
  requestInfo.setCookie(SHOWN_COOKIE, [customerId, invoiceId, total.dueMinor, total.cardMinor, total.bankMinor].join('.'), SHOWN_MS / 1_000)

/**
 * What this browser's cookie says that the page of this link has shown; null without one, and for a browser that has read another since.
 */
const readShownCookie = (requestInfo: Cookies, link: LinkedInvoice): LinkTotal | null => {
  const [customerId, invoiceId, dueMinor = NaN, cardMinor = NaN, bankMinor = NaN] = (requestInfo.cookie(SHOWN_COOKIE) ?? '')
    .split('.')
    .map(Number)
  return customerId === link.customerId && invoiceId === link.invoiceId ? { dueMinor, cardMinor, bankMinor } : null
}

/**
 * Stores what the page of a link shows, in the browser's cookie and in the database, so that whoever pays another total is told. Does
 * nothing where nothing can be paid.
 */
export const recordLinkTotal = async (
  db: Db,
  link: LinkedInvoice,
  details: LinkDetails,
  provider: PaymentProvider | undefined,
  { now, requestInfo }: { readonly now: Date; readonly requestInfo: Cookies },
): Promise<void> => {
  if (!details.isEnabled || details.dueMinor <= 0) return
  const since = addMs(now, -SHOWN_MS)
  const shown = await linkTotal(db, link, details, provider)
  const isCounted = readShownCookie(requestInfo, link) !== null
  setShownCookie(requestInfo, link, shown)
  if (isCounted) {
    const earlier = await listLinkTotals(db, link, since)
    if (earlier.some((total) => isSameTotal(total, shown) && total.shownAt > addMs(now, -NOTE_MS))) return
  } else await forgetRejectedPage(db, link)
  await recordShownTotal(db, link, shown, { now, since, isCounted })
}

interface ShownLink {
  readonly details: LinkDetails
  readonly provider: PaymentProvider
  readonly isDebit: boolean
  /** What the browser says that it has shown. */
  readonly shownTotal: string | number | undefined
  readonly changedText: string
  readonly now: Date
  readonly requestInfo: Cookies
}

/**
 * Compares what the payer of a link was shown with what would be charged. What was shown is `shownTotal`, else what the browser's cookie
 * says. A program that sends neither may be any that has read the link within a day, so all that was shown must be today's. Once it was
 * refused and has read the link again, one page of another total is taken to be its own; where more were read, it is refused once for each
 * of them, since another payer may still look at that one.
 * @returns what is to be charged now, in minor units
 * @throws ApiError 409 for another total, 400 for what is no amount
 */
export const requireShownTotal = async (
  transact: Transact,
  link: LinkedInvoice,
  { details, provider, isDebit, shownTotal, changedText, now, requestInfo }: ShownLink,
): Promise<number> => {
  const way = isDebit ? 'bankMinor' : 'cardMinor'
  const sentMinor = parseShownTotal(shownTotal, details.currency)
  const { hasOtherTotal, currentMinor } = await transact(async (db) => {
    const current = await linkTotal(db, link, details, provider)
    const inCookie = readShownCookie(requestInfo, link)
    const shownMinor = sentMinor ?? (inCookie?.dueMinor === current.dueMinor ? inCookie[way] : undefined)
    if (shownMinor !== undefined) return { hasOtherTotal: shownMinor !== current[way], currentMinor: current[way] }
    const shown = await listLinkTotals(db, link, addMs(now, -SHOWN_MS))
    const other = shown.find((total) => total.dueMinor === current.dueMinor && total[way] !== current[way])
    if (other !== undefined) await markTotalRejected(db, link, other, now)
    return { hasOtherTotal: other !== undefined, currentMinor: current[way] }
  })
  if (hasOtherTotal) throw hasChanged(changedText)
  return currentMinor
}
