import { type Money, parseMoney } from '@counterfoil/contract/kit/money'
import { addMs, parseInstant } from '../../../kit/clock.ts'
import type { ChargeResult, ProviderPayment, SentOrder } from '../provider.ts'
import { CURRENCY, DEBIT_TYPE } from './ippay-charges.ts'
import { type IPpayContext, listRows, ourRefOf, TOLERANCE_MS } from './ippay-client.ts'
import { meaningOf, RETURNED_DECLINE } from './ippay-codes.ts'
import { enquire } from './ippay-enquiry.ts'
import type { Reply } from './ippay-xml.ts'

const DAY_MS = 86_400_000
/** How far back an order is looked for of which it is not known when it was sent. */
const MAX_AGE_MS = 31 * DAY_MS
/** A bank may return a debit that was not authorized up to sixty days later. */
const MAX_RETURN_AGE_MS = 65 * DAY_MS

const describeError = (error: unknown): string => (error instanceof Error ? error.message : 'a report could not be read')

/** The day before and the day after an order was sent. */
const spanOf = ({ now }: IPpayContext, { sentAt }: Pick<SentOrder, 'sentAt'>): { from: Date; to: Date } => ({
  from: addMs(sentAt ?? addMs(now, -MAX_AGE_MS), -TOLERANCE_MS),
  to: addMs(sentAt ?? now, TOLERANCE_MS),
})

/** Asks the gateway what became of an order, then the reports. What contradicts itself is unknown. */
export const lookUp = async (context: IPpayContext, order: SentOrder): Promise<ChargeResult> => {
  const kind = order.methodType === DEBIT_TYPE ? 'bank' : 'card'
  const found = await enquire(context, order.ourRef, kind)
  if (found.state === 'unknown') return found
  if (found.state === 'declined') return found.decline
  let row: Reply | undefined
  try {
    row = await findRow(context, order, kind)
  } catch (error) {
    // An enquiry with the approval of the original says enough of a payment; of none it takes both.
    if (found.state === 'not_found') return { state: 'unknown', detail: describeError(error) }
  }
  if (found.state === 'not_found' && row === undefined) return { state: 'absent', detail: 'neither the gateway nor its reports know it' }
  const isApprovedThere = found.state === 'approved' && found.reply['Approval'] !== undefined
  if (row === undefined && !isApprovedThere) return { state: 'unknown', detail: 'ippay does not say whether it approved it' }
  if (row !== undefined && meaningOf(row['ActionCode'], undefined, kind) !== 'approved')
    return { state: 'unknown', detail: `ippay contradicts itself (${row['ActionCode'] ?? 'no code'})` }
  const amount = row === undefined ? order.amount : parseAmount(row['Total_Amount'])
  if (amount === undefined) return { state: 'unknown', detail: 'ippay reports no amount that can be read' }
  return kind === 'bank'
    ? lookUpDebit(context, order, amount)
    : { state: 'succeeded', providerRef: order.ourRef, amount, refunded: await readRefunded(context, order, kind), reversed: 0n }
}

/** The row of a charge in the report of its kind. */
const findRow = async (context: IPpayContext, order: SentOrder, kind: 'card' | 'bank'): Promise<Reply | undefined> => {
  const { from, to } = spanOf(context, order)
  const type = kind === 'bank' ? 'CHECK' : 'SALE'
  for await (const row of listRows(context, kind === 'bank' ? 'ach' : 'credit', from, to))
    if (row['Transaction_ID'] === order.ourRef && row['Request_Type'] === type) return row
  return undefined
}

/** An amount of the reports of payments: a decimal with four places. */
const parseAmount = (text: string | undefined): Money | undefined =>
  text !== undefined && /^\d{1,10}\.\d{2}00$/.test(text) ? parseMoney(text.slice(0, -2), CURRENCY) : undefined

/** A debit is paid once it stands in the settlement, and came back once it stands among the rejects. */
const lookUpDebit = async (context: IPpayContext, order: SentOrder, amount: Money): Promise<ChargeResult> => {
  const providerRef = order.ourRef
  try {
    const isSettled = await isInSettlement(context, order)
    const isReturned = await isAmongRejects(context, order)
    if (isReturned && !isSettled && order.isPaid !== true) return RETURNED_DECLINE
    if (!isSettled && !isReturned) return { state: 'processing', providerRef }
    const refunded = await readRefunded(context, order, 'bank')
    return { state: 'succeeded', providerRef, amount, refunded, reversed: isReturned ? amount.minor : 0n }
  } catch (error) {
    return { state: 'unknown', detail: describeError(error) }
  }
}

/** The settlement is listed by the time of the debit; it may name a day to come. */
const isInSettlement = async (context: IPpayContext, order: SentOrder): Promise<boolean> => {
  const { from, to } = spanOf(context, order)
  for await (const row of listRows(context, 'achsettlement', from, to))
    if (row['Transaction_ID'] === order.ourRef) return isPast(row['SettlementDate'], context.now)
  return false
}

const isPast = (text: string | undefined, now: Date): boolean => {
  const at = parseInstant(`${text?.replace(' ', 'T').slice(0, 19) ?? ''}Z`)
  return at !== null && at <= now
}

const isAmongRejects = async (context: IPpayContext, order: SentOrder): Promise<boolean> => {
  const { from } = spanOf(context, order)
  for await (const row of listRows(context, 'achrejects', from, addMs(context.now, TOLERANCE_MS)))
    if (row['Transaction_ID'] === order.ourRef) return true
  return false
}

/** What was given back, in minor units; null where the reports do not show all that we know of, or do not answer: they may lag. */
const readRefunded = async (context: IPpayContext, order: SentOrder, kind: 'card' | 'bank'): Promise<bigint | null> => {
  try {
    const sum = await sumRefunds(context, order, kind)
    return sum >= (order.refunded ?? 0n) ? sum : null
  } catch {
    return null
  }
}

/**
 * What the reports show of a payment as given back, in minor units.
 * @throws Error when a report cannot be read
 */
export const sumRefunds = async (context: IPpayContext, order: SentOrder, kind: 'card' | 'bank'): Promise<bigint> => {
  const { from } = spanOf(context, order)
  let sum = 0n
  for await (const row of listRows(context, kind === 'bank' ? 'ach' : 'credit', from, addMs(context.now, TOLERANCE_MS)))
    if (refundedRefOf(row) === order.ourRef) sum += amountOf(row).minor
  return sum
}

/** The reference of the payment that a row gives back; undefined for any other row. A reversal has an id of its own. */
const refundedRefOf = (row: Reply): string | undefined => {
  if (meaningOf(row['ActionCode'], undefined) !== 'approved') return undefined
  if (row['Request_Type'] === 'VOID' || row['Request_Type'] === 'CREDIT') return row['Transaction_ID']
  return row['Request_Type'] === 'REVERSAL' ? row['UD2'] : undefined
}

const amountOf = (row: Reply): Money => {
  const amount = parseAmount(row['Total_Amount'])
  if (amount === undefined) throw new Error('ippay reports no amount that can be read')
  return amount
}

/** Collects rows once each: adjoining spans share an instant. */
const collectRows = async (rows: AsyncIterable<Reply>): Promise<Reply[]> => {
  const all = new Map<string, Reply>()
  for await (const row of rows) all.set(`${row['ipTransID']} ${row['Transaction_ID']} ${row['Request_Type']}`, row)
  return [...all.values()]
}

const refsIn = async (rows: AsyncIterable<Reply>, holds: (row: Reply) => boolean = () => true): Promise<Set<string>> =>
  new Set((await collectRows(rows)).filter(holds).flatMap(({ Transaction_ID: id }) => id ?? []))

/**
 * Lists the payments between two instants.
 * @throws Error when a report cannot be read
 */
export async function* listPayments(context: IPpayContext, from: Date, to: Date): AsyncGenerator<ProviderPayment> {
  const end = addMs(context.now, TOLERANCE_MS)
  const rows = [...(await collectRows(listRows(context, 'credit', from, end))), ...(await collectRows(listRows(context, 'ach', from, end)))]
  const settled = await refsIn(listRows(context, 'achsettlement', from, end), (row) => isPast(row['SettlementDate'], context.now))
  const returned = await refsIn(listRows(context, 'achrejects', from, end))
  const refunds = new Map<string, bigint>()
  for (const row of rows) {
    const ref = refundedRefOf(row)
    if (ref !== undefined) refunds.set(ref, (refunds.get(ref) ?? 0n) + amountOf(row).minor)
  }
  for (const row of rows) {
    const { Request_Type: type, Transaction_ID: providerRef = '', Date: listedAt = '' } = row
    const isWithin = isPast(listedAt, to)
    if ((type !== 'SALE' && type !== 'CHECK') || !isWithin) continue
    const isDebit = type === 'CHECK'
    yield {
      ourRef: ourRefOf(row),
      providerRef,
      result: toResult(row, {
        isOpen: isDebit && !settled.has(providerRef) && !returned.has(providerRef),
        isReturned: returned.has(providerRef),
        refunded: refunds.get(providerRef) ?? 0n,
      }),
    }
  }
}

const toResult = (
  row: Reply,
  { isOpen, isReturned, refunded }: { isOpen: boolean; isReturned: boolean; refunded: bigint },
): ChargeResult => {
  const providerRef = row['Transaction_ID'] ?? ''
  const meaning = meaningOf(row['ActionCode'], undefined)
  if (meaning !== 'approved')
    return typeof meaning === 'object' ? meaning : { state: 'unknown', detail: `ippay reports ${row['ActionCode'] ?? 'no code'}` }
  if (isOpen) return { state: 'processing', providerRef }
  const amount = amountOf(row)
  return { state: 'succeeded', providerRef, amount, refunded, reversed: isReturned ? amount.minor : 0n }
}

/**
 * Lists the debits that the banks returned. By which time they are listed is not documented, so the reports of the last two months are read.
 * @throws Error when a report cannot be read
 */
export async function* listReturned(
  context: IPpayContext,
  from: Date,
  to: Date,
): AsyncGenerator<{ ourRef: string | null; providerRef: string }> {
  for (const row of await collectRows(listRows(context, 'achrejects', addMs(from, -MAX_RETURN_AGE_MS), addMs(to, TOLERANCE_MS)))) {
    const { Transaction_ID: providerRef } = row
    if (providerRef !== undefined) yield { ourRef: ourRefOf(row) ?? providerRef, providerRef }
  }
}
