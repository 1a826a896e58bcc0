import { addMs, parseInstant } from '../../../kit/clock.ts'
import type { ChargeResult, ProviderPayment } from '../charge-result.ts'
import type { IdentifiedOrder, SentOrder } from '../order.ts'
import { callNexio, describeAnswer, type NexioContext, resultWithoutAnswer } from './nexio-client.ts'
import { chargedBackMinor, chargedBackNumber, listChargebacks } from './nexio-chargebacks.ts'
import {
  decodeRecord,
  ECHECK,
  FAILED_STATUSES,
  isListedECheck,
  isRefund,
  isSettled,
  type NexioRecord,
  recordResult,
  sumRefunds,
  transactionNumberOf,
} from './nexio-codec.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A payer may confirm at the bank for an hour, and the list may lag a minute. */
export const NOT_FOUND_MEANS_UNPAID_AFTER_MS = 75 * MINUTE_MS

/** How long after a debit its bank may return it. */
const MAX_RETURN_MS = 90 * DAY_MS

const PAGE_SIZE = 100
const MAX_PAGES = 1_000

/** The answer of a look-up that says nothing of the payment. */
class UnusableAnswer extends Error {}

/** Nexio's own id of an order; null while our reference stands for it. */
const paymentIdOf = ({ merchantReference, providerRef }: Pick<SentOrder, 'merchantReference' | 'providerRef'>): string | null =>
  providerRef === merchantReference ? null : providerRef

/**
 * Asks what became of an order: by Nexio's id where it gave one, since the list may lag, else by our reference. Its refunds are in the list
 * alone. Without a proper answer the result is `unknown`.
 */
export const lookUp = async (context: NexioContext, order: SentOrder): Promise<ChargeResult> => {
  const paymentId = paymentIdOf(order)
  try {
    if (paymentId === null) return await oldestResult(context, order, await listOfOrder(context, order.merchantReference))
    const record = await readRecord(context, paymentId)
    if (record?.plugin.orderNumber !== order.merchantReference) return { state: 'unknown', detail: 'nexio does not know it' }
    const result = recordResult(record, { refunded: null, isECheck: isECheck(order) })
    if (result.state !== 'succeeded') return result
    return withChargebacks(context, order, record, { ...result, refunded: await readRefunded(context, order, paymentId) })
  } catch (error) {
    return { state: 'unknown', detail: resultWithoutAnswer(error).detail }
  }
}

/** Whether an order is paid from a bank account. */
const isECheck = ({ methodType }: Pick<SentOrder, 'methodType'>): boolean => methodType === ECHECK

/** How far back chargebacks are read of an order of which it is not known when it was sent. */
const MAX_AGE_MS = 125 * DAY_MS

/**
 * A settled payment with what banks took back of it, at most its amount. Where Nexio's list cannot be read, or the payment is not settled,
 * the result stays.
 */
const withChargebacks = async (
  context: NexioContext,
  { sentAt }: SentOrder,
  record: NexioRecord,
  result: Extract<ChargeResult, { state: 'succeeded' }>,
): Promise<ChargeResult> => {
  const number = transactionNumberOf(record)
  if (!isSettled(record) || number === null || result.reversed !== null) return result
  try {
    const chargebacks = await listChargebacks(context, sentAt ?? addMs(context.now, -MAX_AGE_MS), context.now)
    const minor = chargedBackMinor(chargebacks, number, result.amount.currency)
    return { ...result, reversed: minor < result.amount.minor ? minor : result.amount.minor }
  } catch {
    return result
  }
}

/**
 * The transaction with this payment id; undefined where Nexio has none.
 * @throws Error when Nexio does not answer properly
 */
export const readRecord = async (context: NexioContext, paymentId: string): Promise<NexioRecord | undefined> => {
  const answer = await callNexio(context, { method: 'GET', path: `/transaction/v3/paymentId/${encodeURIComponent(paymentId)}` })
  if (answer.status === 404) return undefined
  const record = answer.status === 200 ? decodeRecord(answer.body) : undefined
  if (record === undefined) throw new UnusableAnswer(describeAnswer(answer))
  if (record.plugin.originalId !== paymentId) throw new UnusableAnswer('nexio answered for another payment')
  return record
}

/**
 * The sum of the successful refunds of a payment in minor units, from Nexio's list. Null when the list cannot be read, or when successful
 * and failed refunds together are less than what we know was refunded: the list is behind then.
 */
const readRefunded = async (
  context: NexioContext,
  { merchantReference, refunded = 0n }: SentOrder,
  paymentId: string,
): Promise<bigint | null> => {
  try {
    const { made, failed } = sumRefunds(await listOfOrder(context, merchantReference), paymentId)
    return made + failed >= refunded ? made : null
  } catch {
    return null
  }
}

/**
 * All transactions with our reference: the payment and its refunds.
 * @throws Error when Nexio does not answer properly or lists others
 */
const listOfOrder = async (context: NexioContext, merchantReference: string): Promise<NexioRecord[]> => {
  const records: NexioRecord[] = []
  for await (const record of listRecords(context, { 'plugin.orderNumber': merchantReference, 'gateway.': '' })) {
    if (record.plugin.orderNumber !== merchantReference) throw new UnusableAnswer('nexio listed other payments')
    records.push(record)
  }
  return records
}

/** The states of one order's transactions, the one that decides first. */
const DECISIVE: readonly ChargeResult['state'][] = ['succeeded', 'processing', 'unknown', 'voided', 'declined']

/**
 * The result of an order of which the list may show several payments: the oldest one that moved money decides. `absent` where it shows
 * none.
 */
const oldestResult = async (context: NexioContext, order: SentOrder, records: readonly NexioRecord[]): Promise<ChargeResult> => {
  const payments = records.filter((record) => !isRefund(record)).toSorted((a, b) => a.transactionDate.localeCompare(b.transactionDate))
  const results = payments.map((record) => {
    const refunded = sumRefunds(records, record.plugin.originalId).made
    return { record, result: recordResult(record, { refunded, isECheck: isECheck(order) }) }
  })
  for (const state of DECISIVE) {
    const found = results.find(({ result }) => result.state === state)
    if (found?.result.state === 'succeeded') return withChargebacks(context, order, found.record, found.result)
    if (found !== undefined) return found.result
  }
  return { state: 'absent', detail: 'nexio has no payment with this reference' }
}

/**
 * Lists transactions, newest first, each once although new ones shift the pages.
 * @throws Error when Nexio does not answer properly, or lists more than `MAX_PAGES` pages: what a cut list lacks is not absent
 */
async function* listRecords(context: NexioContext, query: Readonly<Record<string, string>>): AsyncIterable<NexioRecord> {
  const seen = new Set<string>()
  const { merchantId } = context.settings
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = { ...query, ...(merchantId === undefined ? {} : { merchantId }), limit: PAGE_SIZE, offset: page * PAGE_SIZE }
    const path = `/transaction/v3?${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)])).toString()}`
    const rows = toRows(await callNexio(context, { method: 'GET', path }))
    for (const row of rows) {
      const record = decodeRecord(row)
      if (record === undefined) throw new UnusableAnswer('nexio listed something in an unknown format')
      const key = JSON.stringify(row)
      if (!seen.has(key)) yield record
      seen.add(key)
    }
    if (rows.length < PAGE_SIZE) return
  }
  throw new UnusableAnswer('nexio lists too many transactions')
}

/**
 * The rows of a list, none for an empty one; its envelope is not documented.
 * @throws UnusableAnswer when the status is not 200 or the body has no list
 */
const toRows = ({ status, body }: { status: number; body: unknown }): readonly unknown[] => {
  const envelope = (typeof body === 'object' && body !== null ? body : {}) as { readonly rows?: unknown; readonly data?: unknown }
  const rows = Array.isArray(body) ? body : (envelope.rows ?? envelope.data)
  if (status !== 200 || !Array.isArray(rows)) throw new UnusableAnswer(describeAnswer({ status, body }))
  return rows
}

/**
 * Looks up a payment that waits for its payer: Nexio cannot cancel one. With no payment found the result is `canceled` once the time to
 * confirm is over, and `unknown` before.
 */
export const cancel = async (context: NexioContext, order: IdentifiedOrder): Promise<ChargeResult> => {
  const found = await lookUp(context, order)
  if (found.state !== 'absent') return found
  const hasExpired = order.sentAt !== null && context.now.getTime() - order.sentAt.getTime() >= NOT_FOUND_MEANS_UNPAID_AFTER_MS
  return hasExpired
    ? { state: 'canceled', detail: 'the payer did not confirm it in time' }
    : { state: 'unknown', detail: 'the payer may still confirm it at the bank' }
}

/**
 * Lists the payments of a span, those without our reference too. Their refunds may be younger than the span.
 * @throws Error when Nexio does not answer properly
 */
export async function* listPayments(context: NexioContext, from: Date, to: Date): AsyncIterable<ProviderPayment> {
  const records: NexioRecord[] = []
  for await (const record of listRecords(context, { startDate: from.toISOString(), 'plugin.': '', 'gateway.': '' })) records.push(record)
  for (const record of records) {
    const { originalId: providerRef, orderNumber } = record.plugin
    const madeAt = parseInstant(record.transactionDate)
    if (isRefund(record) || (madeAt !== null && madeAt >= to)) continue
    const result = recordResult(record, { refunded: sumRefunds(records, providerRef).made, isECheck: isListedECheck(record) })
    yield {
      merchantReference: orderNumber === undefined || orderNumber === null || orderNumber === '' ? null : orderNumber,
      providerRef,
      result,
    }
  }
}

/**
 * Lists the payments that failed in a span, and those that were charged back: Nexio's documents name no event for either. Which of those
 * that failed were eChecks that counted as paid is known to whoever ordered them.
 */
export async function* listReturned(
  context: NexioContext,
  from: Date,
  to: Date,
): AsyncIterable<{ merchantReference: string | null; providerRef: string }> {
  const startDate = addMs(from, -MAX_RETURN_MS).toISOString()
  for (const status of FAILED_STATUSES)
    for await (const record of listRecords(context, { startDate, transactionStatus: String(status), 'plugin.': '' })) {
      const changedAt = parseInstant(record.updatedAt ?? record.transactionDate)
      const { originalId: providerRef, orderNumber } = record.plugin
      // A look-up moves no money, so one of an unknown day is looked up too.
      const isInSpan = changedAt === null || (changedAt >= from && changedAt < to)
      if (!isRefund(record) && isInSpan) yield { merchantReference: orderNumber ?? null, providerRef }
    }
  yield* listChargedBack(context, from, to)
}

/** Lists the payments that a chargeback of the span takes back; none where the list of chargebacks cannot be read. */
async function* listChargedBack(
  context: NexioContext,
  from: Date,
  to: Date,
): AsyncIterable<{ merchantReference: string | null; providerRef: string }> {
  const chargebacks = await listChargebacks(context, from, to).catch(() => [])
  for (const number of new Set(chargebacks.flatMap((one) => chargedBackNumber(one) ?? []))) {
    const { status, body } = await callNexio(context, { method: 'GET', path: `/transaction/v3/${encodeURIComponent(number)}` })
    const record = status === 200 ? decodeRecord(body) : undefined
    if (record !== undefined) yield { merchantReference: record.plugin.orderNumber ?? null, providerRef: record.plugin.originalId }
  }
}
