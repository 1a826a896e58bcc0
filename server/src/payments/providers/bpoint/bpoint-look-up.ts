import { Type } from 'typebox'
import { addMs, parseInstant } from '../../../kit/clock.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult, ProviderPayment } from '../charge-result.ts'
import type { SentOrder } from '../order.ts'
import { type BpointContext, callBpoint, describeAnswer, resultWithoutAnswer, sydneyDay } from './bpoint-client.ts'
import { type BpointTransaction, decodeTransaction, isBankDecline, knownStateOf, transactionResult } from './bpoint-codec.ts'
import { BANK_DECLINES } from './bpoint-declines.ts'

const DAY_MS = 86_400_000

/** How far a search lags is not documented: a day is longer than anything that may still be on its way. */
export const NOT_FOUND_MEANS_UNPAID_AFTER_MS = DAY_MS

/** How long after a debit its bank may return it. */
const MAX_RETURN_MS = 90 * DAY_MS

const MAX_PAGES = 1_000

/** The answer of a look-up that says nothing of the payment. */
class UnusableAnswer extends Error {}

/** Whether BPOINT gave its own number; until then the key stands for it. */
const isTxnNumber = (providerRef: string): boolean => /^\d{6,30}$/.test(providerRef)

/**
 * Asks what became of an order: by BPOINT's number where it gave one, since a search may lag, else by our reference. Its refunds are found
 * by the search alone. A key is saved before it is processed, so that nothing was processed without one.
 */
export const lookUp = async (context: BpointContext, order: SentOrder): Promise<ChargeResult> => {
  const { merchantReference, providerRef, refunded = 0n } = order
  if (providerRef === null) return { state: 'not_sent', detail: 'its key was never processed' }
  try {
    const found = isTxnNumber(providerRef) ? await readTransaction(context, providerRef) : undefined
    const all = await searchOrder(context, order).catch((error: unknown) => {
      if (found === undefined) throw error
      return null
    })
    if (found === undefined) return oldestResult(context, all ?? [])
    if (found.merchantReference !== merchantReference) return { state: 'unknown', detail: 'bpoint does not know it' }
    // A search that shows less than we know of lags.
    const known = knownStateOf(all ?? [], found)
    const isKnown = all !== null && (known.refunded ?? 0n) >= refunded
    return transactionResult(found, isKnown ? known : { ...known, refunded: null }, context.settings)
  } catch (error) {
    return { state: 'unknown', detail: resultWithoutAnswer(error).detail }
  }
}

/**
 * The payment with this number; undefined where BPOINT has none.
 * @throws Error when BPOINT does not answer properly
 */
export const readTransaction = async (context: BpointContext, txnNumber: string): Promise<BpointTransaction | undefined> => {
  const answer = await callBpoint(context, { method: 'GET', path: `/txns/${encodeURIComponent(txnNumber)}` })
  if (answer.status === 404) return undefined
  const transaction = answer.status === 200 ? decodeTransaction(answer.body) : undefined
  if (transaction?.txnNumber !== txnNumber || transaction.action !== 'Payment') throw new UnusableAnswer(describeAnswer(answer))
  return transaction
}

/**
 * All transactions with our reference: the payment and its refunds, which may be much younger.
 * @throws Error when BPOINT does not answer properly or finds others
 */
const searchOrder = async (context: BpointContext, { merchantReference, sentAt }: SentOrder): Promise<BpointTransaction[]> => {
  const found: BpointTransaction[] = []
  const span = { from: addMs(sentAt ?? context.now, -DAY_MS), to: addMs(context.now, DAY_MS) }
  for await (const transaction of search(context, span, { merchantReference: merchantReference })) {
    if (transaction.merchantReference !== merchantReference) throw new UnusableAnswer('bpoint found other payments')
    found.push(transaction)
  }
  return found
}

/** The states of one order's transactions, the one that decides first. */
const DECISIVE: readonly ChargeResult['state'][] = ['succeeded', 'processing', 'unknown', 'voided', 'declined']

/**
 * The result of an order of which a search may find several payments: the oldest one that moved money decides. `absent` where it finds
 * none.
 */
const oldestResult = ({ settings }: BpointContext, transactions: readonly BpointTransaction[]): ChargeResult => {
  const results = transactions
    .filter(({ action }) => action === 'Payment')
    .toSorted((a, b) => (a.processedDateTime ?? '').localeCompare(b.processedDateTime ?? ''))
    .map((one) => transactionResult(one, knownStateOf(transactions, one), settings))
  for (const state of DECISIVE) {
    const found = results.find((result) => result.state === state)
    if (found !== undefined) return found
  }
  return { state: 'absent', detail: 'bpoint has no payment with this reference' }
}

const WireFound = Type.Object({
  continueFrom: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
  transactions: Type.Array(Type.Unknown()),
})

/**
 * Finds the transactions, refunds too, of a span of whole days in Sydney, each once.
 * @throws Error when BPOINT does not answer properly
 */
async function* search(
  context: BpointContext,
  { from, to }: { readonly from: Date; readonly to: Date },
  filter: { readonly merchantReference?: string; readonly responseCode?: string } = {},
): AsyncIterable<BpointTransaction> {
  const seen = new Set<string>()
  const span = { fromDate: sydneyDay(from), toDate: sydneyDay(to) }
  let continueFrom: string | number | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const body: object = { ...filter, ...span, ...(continueFrom === null ? {} : { continueFrom }) }
    const answer = await callBpoint(context, { method: 'POST', path: '/txns/search', body })
    if (answer.status !== 200 || !matchesSchema(WireFound, answer.body)) throw new UnusableAnswer(describeAnswer(answer))
    for (const row of answer.body.transactions) {
      const transaction = decodeTransaction(row)
      if (transaction === undefined) throw new UnusableAnswer('bpoint found something in an unknown format')
      const key = transaction.txnNumber ?? JSON.stringify(row)
      if (!seen.has(key)) yield transaction
      seen.add(key)
    }
    const next = answer.body.continueFrom ?? null
    if (next === null || next === '' || next === continueFrom) return
    continueFrom = next
  }
  throw new UnusableAnswer('bpoint finds too much')
}

/**
 * Lists the payments of a span, those without our reference too. Their refunds may be younger than the span.
 * @throws Error when BPOINT does not answer properly
 */
export async function* listPayments(context: BpointContext, from: Date, to: Date): AsyncIterable<ProviderPayment> {
  const transactions: BpointTransaction[] = []
  for await (const transaction of search(context, { from, to: addMs(context.now, DAY_MS) })) transactions.push(transaction)
  for (const transaction of transactions) {
    const { action, txnNumber, merchantReference, processedDateTime } = transaction
    const madeAt = parseInstant(processedDateTime ?? '')
    const isInSpan = madeAt === null || (madeAt >= from && madeAt < to)
    if (action !== 'Payment' || typeof txnNumber !== 'string' || !isInSpan) continue
    const result = transactionResult(transaction, knownStateOf(transactions, transaction), context.settings)
    yield { merchantReference: merchantReference || null, providerRef: txnNumber, result }
  }
}

/**
 * Lists the payments since `MAX_RETURN_MS` before `from` that banks have declined, whenever they did: BPOINT does not tell the day of it,
 * and a look-up moves no money. Which were debits that counted as paid is known to whoever ordered them.
 */
export async function* listReturned(
  context: BpointContext,
  from: Date,
  to: Date,
): AsyncIterable<{ merchantReference: string | null; providerRef: string }> {
  for (const responseCode of BANK_DECLINES)
    for await (const transaction of search(context, { from: addMs(from, -MAX_RETURN_MS), to }, { responseCode })) {
      const { action, txnNumber, merchantReference } = transaction
      if (action === 'Payment' && isBankDecline(transaction) && typeof txnNumber === 'string')
        yield { merchantReference: merchantReference || null, providerRef: txnNumber }
    }
}
