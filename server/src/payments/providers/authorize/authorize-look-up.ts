import { addMs } from '../../../kit/clock.ts'
import type { ChargeResult, ProviderPayment } from '../charge-result.ts'
import type { SentOrder } from '../order.ts'
import { type AuthorizeContext, describeError } from './authorize-client.ts'
import { listSettled, listUnsettled, readTransaction } from './authorize-lists.ts'
import { DEBIT_TYPE } from './authorize-profiles.ts'
import { type Clearing, toMerchantReference, toResult, type TransactionSummary } from './authorize-transactions.ts'
import { DEFAULT_RETURN_DAYS } from './authorize.settings.ts'

/** How far Authorize.net's clock may be from ours. */
const CLOCK_TOLERANCE_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** How far back an order is looked for of which it is not known when it was sent. */
const MAX_AGE_MS = 31 * DAY_MS
/** A bank may return a debit that was not authorized up to sixty days later, and charge back a card payment twice as long. */
const MAX_RETURN_AGE_MS = 125 * DAY_MS

/** When a debit that was sent then counts as paid: after the account's own days of return, else the default ones. */
const clearingOf = ({ settings, now }: AuthorizeContext, sentAt: Date | null): Clearing => ({
  now,
  sentAt,
  returnDays: settings.returnDays ?? DEFAULT_RETURN_DAYS,
})

/**
 * Finds out what became of an order: by its id at Authorize.net, else by our reference, its invoice number, in the lists. Without an answer
 * the result is `unknown`; where the lists have nothing, `absent`.
 */
export const lookUp = async (context: AuthorizeContext, order: SentOrder): Promise<ChargeResult> => {
  try {
    if (order.providerRef !== null) return await lookUpById(context, order, order.providerRef)
    const found = await findByReference(context, order)
    if (found === undefined) return { state: 'absent', detail: 'authorize lists no transaction with this reference' }
    return await lookUpById(context, order, found.transId)
  } catch (error) {
    return { state: 'unknown', detail: describeError(error) }
  }
}

/**
 * The result of the transaction with this id; `unknown` where its invoice number is not our reference. Of a settled one the refunds are
 * read too.
 * @throws Error when the details cannot be read
 */
const lookUpById = async (context: AuthorizeContext, order: SentOrder, transId: string): Promise<ChargeResult> => {
  const transaction = await readTransaction(context, transId)
  if (transaction.invoiceNumber !== order.merchantReference)
    return { state: 'unknown', detail: 'authorize has another payment under this id' }
  const result = toResult(transaction, clearingOf(context, order.sentAt), order.methodType === DEBIT_TYPE)
  if (result.state !== 'succeeded' || transaction.status !== 'settledSuccessfully') return result
  return { ...result, refunded: await readRefunded(context, { ...order, providerRef: transId }) }
}

/** What was given back of a settled payment, in minor units; null where the lists show nothing or do not answer: they lag. */
const readRefunded = async (context: AuthorizeContext, order: SentOrder): Promise<bigint | null> => {
  const refunds = await listRefunds(context, order).catch(() => [])
  return refunds.length === 0 ? null : sumOf(refunds)
}

/**
 * The transaction with our reference that holds money, else one that was declined or voided; newest first in what is not settled, then in
 * the batches since the order was sent.
 * @throws Error when a list cannot be read, or a card of another number was charged
 */
const findByReference = async (context: AuthorizeContext, order: SentOrder): Promise<TransactionSummary | undefined> => {
  const since = addMs(order.sentAt ?? addMs(context.now, -MAX_AGE_MS), -CLOCK_TOLERANCE_MS)
  let idle: TransactionSummary | undefined
  for await (const summary of listSince(context, since)) {
    if (summary.invoiceNumber !== order.merchantReference || isRefund(summary)) continue
    assertSameCard(summary, order)
    if (!isIdle(summary)) return summary
    idle ??= summary
  }
  return idle
}

/** What is in no batch yet, then the batches settled since. */
async function* listSince(context: AuthorizeContext, since: Date): AsyncGenerator<TransactionSummary> {
  yield* listUnsettled(context)
  yield* listSettled(context, since, context.now)
}

/** Whether a listed transaction is a refund, which is one of its own. */
const isRefund = ({ status }: TransactionSummary): boolean => status.startsWith('refund')

/** Whether a transaction was declined or voided, so that it holds no money. */
const isIdle = ({ status }: TransactionSummary): boolean => status === 'declined' || status === 'voided'

/**
 * Throws when a listed transaction shows other last four digits than the order's card or account. Digits that are not known on either side
 * pass.
 */
const assertSameCard = ({ last4 }: TransactionSummary, { method }: SentOrder): void => {
  const expected = method?.last4 ?? null
  if (expected !== null && last4 !== null && expected !== last4)
    throw new Error('authorize has another card or account under this reference')
}

/**
 * Lists what was submitted between two instants. Of a debit, and of what was voided, declined or given back, the details are read.
 * @throws Error when a list cannot be read
 */
export async function* listPayments(context: AuthorizeContext, from: Date, to: Date): AsyncGenerator<ProviderPayment> {
  const all = new Map<string, TransactionSummary>()
  for await (const summary of listSince(context, from)) all.set(summary.transId, summary)
  const refunded = await sumRefunds(context, [...all.values()])
  for (const summary of all.values()) {
    if (isRefund(summary) || summary.submittedAt < from || summary.submittedAt >= to) continue
    const merchantReference = toMerchantReference(summary.invoiceNumber)
    const { transId: providerRef } = summary
    if (merchantReference === null) yield { merchantReference, providerRef, result: { state: 'unknown', detail: 'not a payment of ours' } }
    else yield { merchantReference, providerRef, result: withRefunds(await readResult(context, summary), refunded.get(providerRef) ?? 0n) }
  }
}

/**
 * The result of a listed transaction: of a plain captured card payment by the list alone, with `refunded` null; of any other by its
 * details.
 */
const readResult = async (context: AuthorizeContext, summary: TransactionSummary): Promise<ChargeResult> => {
  const { status, isDebit, transId: providerRef, settled: amount } = summary
  const isPlain = !isDebit && (status === 'capturedPendingSettlement' || status === 'settledSuccessfully')
  if (isPlain) return { state: 'succeeded', providerRef, amount, refunded: null, reversed: 0n }
  return toResult(await readTransaction(context, providerRef), clearingOf(context, null), isDebit)
}

/** A success with the refunds filled in where it does not tell them itself; any other result as it is. */
const withRefunds = (result: ChargeResult, refunded: bigint): ChargeResult =>
  result.state === 'succeeded' ? { ...result, refunded: result.refunded ?? refunded } : result

/** What was given back of each charge, in minor units, by the charge's id, which only a refund's details name. */
const sumRefunds = async (context: AuthorizeContext, listed: readonly TransactionSummary[]): Promise<Map<string, bigint>> => {
  const sums = new Map<string, bigint>()
  for (const summary of listed.filter(isRefund)) {
    const { refTransId, settled } = await readTransaction(context, summary.transId)
    if (refTransId !== null) sums.set(refTransId, (sums.get(refTransId) ?? 0n) + settled.minor)
  }
  return sums
}

/** The sum of refunds, in minor units. */
export const sumOf = (refunds: readonly BookedRefund[]): bigint => refunds.reduce((sum, { minor }) => sum + minor, 0n)

/** A refund that Authorize.net holds of a charge. */
interface BookedRefund {
  readonly minor: bigint
  readonly description: string
}

/**
 * The refunds of a charge since it was sent.
 * @throws Error when a list cannot be read
 */
export const listRefunds = async (context: AuthorizeContext, { providerRef, sentAt }: SentOrder): Promise<BookedRefund[]> => {
  const since = addMs(sentAt ?? addMs(context.now, -MAX_AGE_MS), -CLOCK_TOLERANCE_MS)
  const refunds = new Map<string, BookedRefund>()
  for await (const summary of listSince(context, since)) {
    if (!isRefund(summary) || refunds.has(summary.transId)) continue
    const { refTransId, settled, description = '' } = await readTransaction(context, summary.transId)
    if (refTransId === providerRef) refunds.set(summary.transId, { minor: settled.minor, description })
  }
  return [...refunds.values()]
}

/**
 * Lists the debits whose return the bank reported between two instants, and every card payment that is charged back or was: when is not
 * told. The batches of the last months are read: what came back shows in the batch with which it was settled.
 * @throws Error when a list cannot be read
 */
export async function* listReturned(
  context: AuthorizeContext,
  from: Date,
  to: Date,
): AsyncGenerator<{ merchantReference: string | null; providerRef: string }> {
  for await (const summary of listSettled(context, addMs(from, -MAX_RETURN_AGE_MS), context.now)) {
    const merchantReference = toMerchantReference(summary.invoiceNumber)
    if (!summary.isReturned || merchantReference === null) continue
    const { returned, refTransId } = await readTransaction(context, summary.transId)
    if (returned === null) yield { merchantReference, providerRef: summary.transId }
    if (returned === null) continue
    const at = returned.at ?? from
    // A return may be an entry of its own, which names the debit.
    if (at >= from && at < to) yield { merchantReference, providerRef: refTransId ?? summary.transId }
  }
}
