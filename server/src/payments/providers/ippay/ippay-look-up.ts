import { type Money, parseMoney } from '@counterfoil/contract/kit/money'
import { addMs, parseInstant } from '../../../kit/clock.ts'
import type { ChargeResult, ProviderPayment } from '../charge-result.ts'
import type { SentOrder } from '../order.ts'
import { CURRENCY, DEBIT_TYPE } from './ippay-charges.ts'
import { type IPpayContext, listRows, merchantReferenceOf, TOLERANCE_MS } from './ippay-client.ts'
import { listChargebacks, listChargedBack, sumChargebacks } from './ippay-chargebacks.ts'
import { meaningOf, RETURNED_DECLINE } from './ippay-codes.ts'
import { enquire } from './ippay-enquiry.ts'
import type { Reply } from './ippay-xml.ts'

const DAY_MS = 86_400_000
/** How far back an order is looked for of which it is not known when it was sent. */
const MAX_AGE_MS = 31 * DAY_MS
/** A bank may return a debit that was not authorized up to sixty days later. */
const MAX_RETURN_AGE_MS = 65 * DAY_MS

/** The message of an Error; a fixed text for anything else that was thrown. */
const describeError = (error: unknown): string => (error instanceof Error ? error.message : 'a report could not be read')

/**
 * The span in which the reports may show an order: around the time it was sent, or back to the oldest that is looked for where that is not
 * known.
 */
const spanOf = ({ now }: IPpayContext, { sentAt }: Pick<SentOrder, 'sentAt'>): { from: Date; to: Date } => ({
  from: addMs(sentAt ?? addMs(now, -MAX_AGE_MS), -TOLERANCE_MS),
  to: addMs(sentAt ?? now, TOLERANCE_MS),
})

/**
 * Asks the gateway what became of an order, then the reports. What contradicts itself is unknown. An enquiry does not tell of a void, which
 * the gateway makes by itself after a lost connection, so that only the report's row of the charge says that it is kept.
 */
export const lookUp = async (context: IPpayContext, order: SentOrder): Promise<ChargeResult> => {
  const kind = order.methodType === DEBIT_TYPE ? 'bank' : 'card'
  const found = await enquire(context, order.merchantReference, kind)
  if (found.state === 'unknown') return found
  if (found.state === 'declined') return found.decline
  try {
    const rows = await listRowsOf(context, order, kind)
    const charge = rows.find((row) => row['Request_Type'] === (kind === 'bank' ? 'CHECK' : 'SALE'))
    if (charge !== undefined) return await resultOfCharge(context, order, kind, { charge, rows })
  } catch (error) {
    return { state: 'unknown', detail: describeError(error) }
  }
  return found.state === 'not_found'
    ? { state: 'absent', detail: 'neither the gateway nor its reports know it' }
    : { state: 'unknown', detail: 'ippay approved it, and its report does not show yet whether it was kept' }
}

/** The result of a charge that the reports show, with what was voided, refunded, settled, returned or charged back. */
const resultOfCharge = async (
  context: IPpayContext,
  order: SentOrder,
  kind: 'card' | 'bank',
  { charge, rows }: { charge: Reply; rows: readonly Reply[] },
): Promise<ChargeResult> => {
  const { ActionCode, Total_Amount } = charge
  if (meaningOf(ActionCode, undefined, kind) !== 'approved')
    return { state: 'unknown', detail: `ippay contradicts itself (${ActionCode ?? 'no code'})` }
  const amount = parseAmount(Total_Amount)
  if (amount === undefined) return { state: 'unknown', detail: 'ippay reports no amount that can be read' }
  if (rows.some(isVoid)) return voidedResult(order.merchantReference)
  const refunded = sumOfRefunds(rows, order.merchantReference)
  const known = { providerRef: order.merchantReference, amount, refunded: refunded >= (order.refunded ?? 0n) ? refunded : null }
  if (kind === 'bank') return lookUpDebit(context, order, known)
  return { state: 'succeeded', ...known, reversed: await readChargebacks(context, order, { charge, amount }) }
}

/** Whether a row is an approved void. */
const isVoid = (row: Reply): boolean => row['Request_Type'] === 'VOID' && meaningOf(row['ActionCode'], undefined) === 'approved'

const voidedResult = (providerRef: string): ChargeResult => ({ state: 'voided', providerRef, detail: 'voided at ippay' })

/** What banks have taken back of a card payment, in minor units; null where the report cannot be read. */
const readChargebacks = async (
  context: IPpayContext,
  order: SentOrder,
  { charge, amount }: { charge: Reply; amount: Money },
): Promise<bigint | null> => {
  try {
    const chargebacks = await listChargebacks(context, spanOf(context, order).from, addMs(context.now, TOLERANCE_MS))
    return capMinor(sumChargebacks(chargebacks, charge), amount)
  } catch {
    return null
  }
}

/** The sum, but at most the amount, in minor units. */
const capMinor = (minor: bigint, amount: Money): bigint => (minor < amount.minor ? minor : amount.minor)

/** The rows of an order in the report of its kind: the charge, and what gives it back. */
const listRowsOf = async (context: IPpayContext, order: SentOrder, kind: 'card' | 'bank'): Promise<Reply[]> => {
  const { from } = spanOf(context, order)
  const rows = await collectRows(listRows(context, kind === 'bank' ? 'ach' : 'credit', from, addMs(context.now, TOLERANCE_MS)))
  return rows.filter((row) => row['Transaction_ID'] === order.merchantReference || refundedRefOf(row) === order.merchantReference)
}

/** An amount of the reports of payments, a decimal with four places; undefined for any other text. */
const parseAmount = (text: string | undefined): Money | undefined =>
  text !== undefined && /^\d{1,10}\.\d{2}00$/.test(text) ? parseMoney(text.slice(0, -2), CURRENCY) : undefined

/**
 * The result of a debit: paid once it stands in the settlement, and reversed once it stands among the rejects too. One that came back
 * without having been settled is declined.
 */
const lookUpDebit = async (
  context: IPpayContext,
  order: SentOrder,
  known: { providerRef: string; amount: Money; refunded: bigint | null },
): Promise<ChargeResult> => {
  const isSettled = await isInSettlement(context, order)
  const isReturned = await isAmongRejects(context, order)
  if (isReturned && !isSettled) return RETURNED_DECLINE
  if (!isSettled) return { state: 'processing', providerRef: known.providerRef }
  return { state: 'succeeded', ...known, reversed: isReturned ? known.amount.minor : 0n }
}

/** Whether a debit stands in the settlement with a day that has come. The settlement is listed by the time of the debit. */
const isInSettlement = async (context: IPpayContext, order: SentOrder): Promise<boolean> => {
  const { from, to } = spanOf(context, order)
  for await (const row of listRows(context, 'achsettlement', from, to))
    if (row['Transaction_ID'] === order.merchantReference) return isPast(row['SettlementDate'], context.now)
  return false
}

/** Whether a report's time has come at `now`; false for one that cannot be read. */
const isPast = (text: string | undefined, now: Date): boolean => {
  const at = parseInstant(`${text?.replace(' ', 'T').slice(0, 19) ?? ''}Z`)
  return at !== null && at <= now
}

/** Whether a bank sent a debit back: the report of rejects lists it. */
const isAmongRejects = async (context: IPpayContext, order: SentOrder): Promise<boolean> => {
  const { from } = spanOf(context, order)
  for await (const row of listRows(context, 'achrejects', from, addMs(context.now, TOLERANCE_MS)))
    if (row['Transaction_ID'] === order.merchantReference) return true
  return false
}

/**
 * What the reports show of a payment as given back, in minor units.
 * @throws Error when a report cannot be read
 */
export const sumRefunds = async (context: IPpayContext, order: SentOrder, kind: 'card' | 'bank'): Promise<bigint> =>
  sumOfRefunds(await listRowsOf(context, order, kind), order.merchantReference)

/** What these rows give back of the payment, in minor units. */
const sumOfRefunds = (rows: readonly Reply[], merchantReference: string): bigint =>
  rows.reduce((sum, row) => (refundedRefOf(row) === merchantReference ? sum + amountOf(row).minor : sum), 0n)

/** The reference of the payment that a row gives back; undefined for any other row. A reversal has an id of its own. */
const refundedRefOf = (row: Reply): string | undefined => {
  if (meaningOf(row['ActionCode'], undefined) !== 'approved') return undefined
  if (row['Request_Type'] === 'VOID' || row['Request_Type'] === 'CREDIT') return row['Transaction_ID']
  return row['Request_Type'] === 'REVERSAL' ? row['UD2'] : undefined
}

/**
 * The amount of a row.
 * @throws Error when it cannot be read
 */
const amountOf = (row: Reply): Money => {
  const amount = parseAmount(row['Total_Amount'])
  if (amount === undefined) throw new Error('ippay reports no amount that can be read')
  return amount
}

/** All rows, each once: adjoining spans share an instant. */
const collectRows = async (rows: AsyncIterable<Reply>): Promise<Reply[]> => {
  const all = new Map<string, Reply>()
  for await (const row of rows) all.set(`${row['ipTransID']} ${row['Transaction_ID']} ${row['Request_Type']}`, row)
  return [...all.values()]
}

/** The TransactionIDs of the rows that `holds` takes. */
const refsIn = async (rows: AsyncIterable<Reply>, holds: (row: Reply) => boolean = () => true): Promise<Set<string>> =>
  new Set((await collectRows(rows)).filter(holds).flatMap(({ Transaction_ID: id }) => id ?? []))

/**
 * Lists the sales and debits between two instants, ours and the reseller's own, with what became of them since.
 * @throws Error when a report cannot be read
 */
export async function* listPayments(context: IPpayContext, from: Date, to: Date): AsyncGenerator<ProviderPayment> {
  const end = addMs(context.now, TOLERANCE_MS)
  const rows = [...(await collectRows(listRows(context, 'credit', from, end))), ...(await collectRows(listRows(context, 'ach', from, end)))]
  const settled = await refsIn(listRows(context, 'achsettlement', from, end), (row) => isPast(row['SettlementDate'], context.now))
  const returned = await refsIn(listRows(context, 'achrejects', from, end))
  const chargebacks = await listChargebacks(context, from, end)
  const refunds = new Map<string, bigint>()
  for (const row of rows) {
    const ref = refundedRefOf(row)
    if (ref !== undefined) refunds.set(ref, (refunds.get(ref) ?? 0n) + amountOf(row).minor)
  }
  const voided = new Set(rows.filter(isVoid).map(({ Transaction_ID: id }) => id))
  for (const row of rows) {
    const { Request_Type: type, Transaction_ID: providerRef = '', Date: listedAt = '' } = row
    const isWithin = isPast(listedAt, to)
    if ((type !== 'SALE' && type !== 'CHECK') || !isWithin) continue
    const isDebit = type === 'CHECK'
    yield {
      merchantReference: merchantReferenceOf(row),
      providerRef,
      result: voided.has(providerRef)
        ? voidedResult(providerRef)
        : toResult(row, {
            isOpen: isDebit && !settled.has(providerRef) && !returned.has(providerRef),
            isReturned: returned.has(providerRef),
            refunded: refunds.get(providerRef) ?? 0n,
            chargedBack: sumChargebacks(chargebacks, row),
          }),
    }
  }
}

/** The result of a listed sale or debit. A returned debit is a success with all of it reversed. */
const toResult = (
  row: Reply,
  {
    isOpen,
    isReturned,
    refunded,
    chargedBack,
  }: { readonly isOpen: boolean; readonly isReturned: boolean; readonly refunded: bigint; readonly chargedBack: bigint },
): ChargeResult => {
  const providerRef = row['Transaction_ID'] ?? ''
  const meaning = meaningOf(row['ActionCode'], undefined)
  if (meaning !== 'approved')
    return typeof meaning === 'object' ? meaning : { state: 'unknown', detail: `ippay reports ${row['ActionCode'] ?? 'no code'}` }
  if (isOpen) return { state: 'processing', providerRef }
  const amount = amountOf(row)
  return { state: 'succeeded', providerRef, amount, refunded, reversed: isReturned ? amount.minor : capMinor(chargedBack, amount) }
}

/**
 * Lists the debits that banks returned within `MAX_RETURN_AGE_MS` before `from` and since: by which time they are listed is not documented.
 * Then the card payments that were charged back in the span.
 * @throws Error when a report cannot be read
 */
export async function* listReturned(
  context: IPpayContext,
  from: Date,
  to: Date,
): AsyncGenerator<{ merchantReference: string | null; providerRef: string }> {
  for (const row of await collectRows(listRows(context, 'achrejects', addMs(from, -MAX_RETURN_AGE_MS), addMs(to, TOLERANCE_MS)))) {
    const { Transaction_ID: providerRef } = row
    if (providerRef !== undefined) yield { merchantReference: merchantReferenceOf(row) ?? providerRef, providerRef }
  }
  for await (const merchantReference of listChargedBack(context, from, addMs(to, TOLERANCE_MS)))
    yield { merchantReference, providerRef: merchantReference }
}
