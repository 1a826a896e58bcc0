import { Type } from 'typebox'
import { addMs, parseInstant } from '../../../kit/clock.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult, ProviderPayment } from '../charge-result.ts'
import type { IdentifiedOrder, SentOrder } from '../order.ts'
import { callPinch, describeAnswer, type PinchContext } from './pinch-client.ts'
import { decodeLookedUpPayment, decodePayment, isListedDebit, paymentResult, type PinchPayment } from './pinch-codec.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * How long a request may be under way at Pinch: whether a nonce is known while its first request is still being worked on is not
 * documented, so that nothing found is no proof before.
 */
export const NOT_FOUND_MEANS_UNPAID_AFTER_MS = 15 * MINUTE_MS

const PAGE_SIZE = 500
const MAX_PAGES = 200

const WireNonce = Type.Object({ isNonceReplay: Type.Boolean(), data: Type.Unknown() })

/**
 * Pinch's id of an order: the one that it gave, else the one that it finds by the nonce; null where it finds none. A result where Pinch
 * does not answer properly.
 */
const findPaymentId = async (
  context: PinchContext,
  { merchantReference, providerRef }: SentOrder,
): Promise<string | null | ChargeResult> => {
  if (providerRef !== null && providerRef !== merchantReference) return providerRef
  const answer = await callPinch(context, { method: 'POST', path: '/payments/nonce', body: { nonce: merchantReference } })
  if (answer.status !== 200 || !matchesSchema(WireNonce, answer.body)) return { state: 'unknown', detail: describeAnswer(answer) }
  const { isNonceReplay, data } = answer.body
  if (!isNonceReplay && data === null) return null
  return decodePayment(data)?.id ?? { state: 'unknown', detail: 'pinch knows the nonce and shows no payment' }
}

/**
 * Asks what became of an order. The payment itself is read, since what a nonce shows may be how it began. Without a proper answer the
 * result is `unknown`.
 */
export const lookUp = async (context: PinchContext, order: SentOrder): Promise<ChargeResult> => {
  try {
    const id = await findPaymentId(context, order)
    if (id === null) return { state: 'absent', detail: 'pinch has no payment with this nonce' }
    if (typeof id !== 'string') return id
    const answer = await callPinch(context, { method: 'GET', path: `/payments/${encodeURIComponent(id)}` })
    const payment = answer.status === 200 ? decodePayment(answer.body) : undefined
    if (payment === undefined) return { state: 'unknown', detail: describeAnswer(answer) }
    return payment.id === id ? decodeLookedUpPayment(payment, order) : { state: 'unknown', detail: 'pinch answered for another payment' }
  } catch (error) {
    return { state: 'unknown', detail: error instanceof Error ? error.message : 'no answer' }
  }
}

/** Deletes a debit at Pinch that is still scheduled; every other payment is only looked up, and told as it stands. */
export const cancel = async (context: PinchContext, order: IdentifiedOrder): Promise<ChargeResult> => {
  const found = await lookUp(context, order)
  if (found.state === 'absent') return { state: 'unknown', detail: 'pinch does not know it yet' }
  if (found.state !== 'processing') return found
  try {
    const { status } = await callPinch(context, { method: 'DELETE', path: `/payments/${encodeURIComponent(found.providerRef)}` })
    return status === 200 ? { state: 'canceled', detail: 'it was cancelled before the bank was asked' } : await lookUp(context, order)
  } catch (error) {
    return { state: 'unknown', detail: error instanceof Error ? error.message : 'no answer' }
  }
}

const WirePage = Type.Object({ totalPages: Type.Integer(), data: Type.Array(Type.Unknown()) })

/**
 * Lists the payments of a span of days.
 * @throws Error when Pinch does not answer properly, or lists more than `MAX_PAGES` pages: what a cut list lacks is not absent
 */
async function* listPages(context: PinchContext, path: string, days: Readonly<Record<string, string>>): AsyncIterable<PinchPayment> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({ ...days, page: String(page), pageSize: String(PAGE_SIZE) }).toString()
    const answer = await callPinch(context, { method: 'GET', path: `${path}?${query}` })
    if (answer.status !== 200 || !matchesSchema(WirePage, answer.body)) throw new Error(describeAnswer(answer))
    for (const row of answer.body.data) {
      const payment = decodePayment(row)
      if (payment === undefined) throw new Error('pinch listed something in an unknown format')
      yield payment
    }
    if (page >= answer.body.totalPages) return
  }
  throw new Error('pinch lists too many payments')
}

const OUR_REFERENCE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Lists the payments of a span and of the day before, those that are still scheduled too. The list shows our reference as metadata, and no
 * refunds.
 * @throws Error when Pinch does not answer properly
 */
export async function* listPayments(context: PinchContext, from: Date, to: Date): AsyncIterable<ProviderPayment> {
  // A debit is dated at the beginning of its day in Sydney.
  const days = { startDate: addMs(from, -DAY_MS).toISOString().slice(0, 10), endDate: addMs(to, DAY_MS).toISOString().slice(0, 10) }
  const seen = new Set<string>()
  for (const path of ['/payments/scheduled', '/payments/processed'])
    for await (const payment of listPages(context, path, days)) {
      const madeAt = parseInstant(payment.transactionDate ?? '')
      if (seen.has(`${path} ${payment.id}`) || (madeAt !== null && madeAt >= to)) continue
      seen.add(`${path} ${payment.id}`)
      const { id: providerRef, metadata } = payment
      const merchantReference = typeof metadata === 'string' && OUR_REFERENCE.test(metadata) ? metadata : null
      yield { merchantReference, providerRef, result: paymentResult(payment, null, isListedDebit(payment)) }
    }
}
